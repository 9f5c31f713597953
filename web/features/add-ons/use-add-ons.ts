import { useSWRConfig } from "swr";
import { addOnEndpoints } from "#contract/add-ons.ts";
import type { AddOn } from "#contract/kinds.ts";
import { address, call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

/** What a workspace has and what was asked for. Null: not yet. */
export function useAddOns(workspaceId: string | null) {
  return useCall(addOnEndpoints.list, workspaceId === null ? null : { params: { workspaceId } });
}

/** Whether a workspace has an add-on; undefined as long as that is not known. Null: no workspace is meant. */
export function useHasAddOn(workspaceId: string | null, addOn: AddOn): boolean | undefined {
  return useAddOns(workspaceId).data?.add_ons.some(({ add_on }) => add_on === addOn);
}

/** What became of what was asked for. */
export interface AddOnOutcome {
  active: AddOn[];
  /** Not there: written down as asked for. */
  recorded: AddOn[];
}

/** Asks for add-ons. Throws ApiError; only the owner may. */
export function useRequestAddOns(workspaceId: string): (addOns: AddOn[]) => Promise<AddOnOutcome> {
  const { mutate } = useSWRConfig();
  return async (addOns) => {
    const { active, recorded } = await call(addOnEndpoints.request, { params: { workspaceId }, body: { add_ons: addOns } });
    await mutate(address(addOnEndpoints.list.path, { workspaceId }));
    return { active, recorded };
  };
}
