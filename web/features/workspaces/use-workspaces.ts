import { useCallback } from "react";
import { useSWRConfig } from "swr";
import { workspaceEndpoints, type Dashboard, type Workspace } from "#contract/workspaces.ts";
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

/** Updates the cached list after a post was published together with its changelog. */
export function useMarkPublic(workspaceId: string): () => void {
  const { mutate } = useSWRConfig();
  return useCallback(() => {
    const asPublic = (workspace: Workspace) =>
      workspace.id === workspaceId ? { ...workspace, public_changelog_enabled: true } : workspace;
    void mutate<{ workspaces: Workspace[] }>(
      address(workspaceEndpoints.list.path),
      (list) => list && { workspaces: list.workspaces.map(asPublic) },
      { revalidate: false },
    );
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
