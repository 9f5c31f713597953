import { useSWRConfig } from "swr";
import { addOnEndpoints } from "#contract/add-ons.ts";
import type { AddOn } from "#contract/kinds.ts";
import { address, call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

/** What a workspace has and what was asked for. Null: not yet. */
export function useAddOns(workspaceId: string | null) {
  return useCall(addOnEndpoints.list, workspaceId === null ? null : { params: { workspaceId } });
}

/** Asks for add-ons; answers whether they are there now. Throws ApiError; only the owner may. */
export function useRequestAddOns(workspaceId: string): (addOns: AddOn[]) => Promise<boolean> {
  const { mutate } = useSWRConfig();
  return async (addOns) => {
    const { granted } = await call(addOnEndpoints.request, { params: { workspaceId }, body: { add_ons: addOns } });
    await mutate(address(addOnEndpoints.list.path, { workspaceId }));
    return granted;
  };
}
