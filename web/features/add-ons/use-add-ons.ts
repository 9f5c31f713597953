import { useSWRConfig } from "swr";
import { addOnEndpoints, type WorkspaceAddOns } from "#contract/add-ons.ts";
import type { AddOn } from "#contract/kinds.ts";
import { address, call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

/** Owned and requested add-ons. Null: no request. */
export function useAddOns(workspaceId: string | null) {
  return useCall(addOnEndpoints.list, workspaceId === null ? null : { params: { workspaceId } });
}

export interface AddOnStatus extends Pick<WorkspaceAddOns, "requested" | "included"> {
  owned: readonly string[];
}

export const addOnStatus = ({ add_ons, ...rest }: WorkspaceAddOns): AddOnStatus => ({
  ...rest,
  owned: add_ons.map(({ add_on }) => add_on),
});

/** Undefined while loading; null: no workspace. */
export function useHasAddOn(workspaceId: string | null, addOn: AddOn): boolean | undefined {
  return useAddOns(workspaceId).data?.add_ons.some(({ add_on }) => add_on === addOn);
}

export interface AddOnOutcome {
  active: AddOn[];
  /** Recorded as requested, not active. */
  recorded: AddOn[];
}

/** Requests add-ons. Throws ApiError; owner only. */
export function useRequestAddOns(workspaceId: string): (addOns: AddOn[]) => Promise<AddOnOutcome> {
  const { mutate } = useSWRConfig();
  return async (addOns) => {
    const { active, recorded } = await call(addOnEndpoints.request, { params: { workspaceId }, body: { add_ons: addOns } });
    await mutate(address(addOnEndpoints.list.path, { workspaceId }));
    return { active, recorded };
  };
}
