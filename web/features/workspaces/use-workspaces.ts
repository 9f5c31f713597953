import { useCallback } from "react";
import { useSWRConfig } from "swr";
import { workspaceEndpoints, type Dashboard } from "#contract/workspaces.ts";
import { useCall } from "../../lib/use-call.ts";
import { address, call } from "../../lib/api-client.ts";

/** Sorted by name. */
export function useWorkspaces() {
  return useCall(workspaceEndpoints.list, {});
}

/** Clears the cached list after joining, so that the new workspace isn't reported missing. */
export function useDropWorkspaces(): () => Promise<unknown> {
  const { mutate } = useSWRConfig();
  return useCallback(() => mutate(address(workspaceEndpoints.list.path), undefined), [mutate]);
}

/** Revalidates workspaces and role after a denied call. */
export function useRefreshAccess(workspaceId: string): () => void {
  const { mutate } = useSWRConfig();
  return useCallback(() => {
    void mutate(address(workspaceEndpoints.list.path));
    void mutate(address(workspaceEndpoints.role.path, { workspaceId }));
  }, [mutate, workspaceId]);
}

/** Optimistic; rolls back and throws ApiError on failure. Revalidates the list and the dashboard in the background. */
export function useTogglePublicChangelog(workspaceId: string): (isPublic: boolean) => Promise<void> {
  const { mutate } = useSWRConfig();
  return async (isPublic) => {
    const withIt = (dashboard?: Dashboard) => dashboard && { ...dashboard, public_changelog_enabled: isPublic };
    await mutate<Dashboard>(
      address(workspaceEndpoints.dashboard.path, { workspaceId }),
      async (dashboard) => {
        const { enabled } = await call(workspaceEndpoints.togglePublicChangelog, { body: { isPublic, workspaceId } });
        return dashboard && { ...dashboard, public_changelog_enabled: enabled };
      },
      { optimisticData: withIt as (dashboard?: Dashboard) => Dashboard, rollbackOnError: true, revalidate: false },
    );
    void mutate(workspaceEndpoints.list.path);
    void mutate(address(workspaceEndpoints.dashboard.path, { workspaceId }));
  };
}
