import { useCallback } from "react";
import { useSWRConfig } from "swr";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { useCall } from "../../lib/use-call.ts";
import { address } from "../../lib/api-client.ts";

/** The signed-in person's workspaces by name; `data.workspaces`. */
export function useWorkspaces() {
  return useCall(workspaceEndpoints.list, {});
}

/** Asks again which workspaces the person has and in which role: the server has just said no to something. */
export function useRefreshAccess(workspaceId: string): () => void {
  const { mutate } = useSWRConfig();
  return useCallback(() => {
    void mutate(address(workspaceEndpoints.list.path));
    void mutate(address(workspaceEndpoints.role.path, { workspaceId }));
  }, [mutate, workspaceId]);
}
