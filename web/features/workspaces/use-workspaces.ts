import { useCallback } from "react";
import { useSWRConfig } from "swr";
import { workspaceEndpoints, type Dashboard } from "#contract/workspaces.ts";
import { useCall } from "../../lib/use-call.ts";
import { address, call } from "../../lib/api-client.ts";

/** The signed-in person's workspaces by name; `data.workspaces`. */
export function useWorkspaces() {
  return useCall(workspaceEndpoints.list, {});
}

/** Drops the list when the person comes into a workspace that it does not know: until it is read again nobody says that there is none. */
export function useDropWorkspaces(): () => Promise<unknown> {
  const { mutate } = useSWRConfig();
  return useCallback(() => mutate(address(workspaceEndpoints.list.path), undefined), [mutate]);
}

/** Asks again which workspaces the person has and in which role: the server has just said no to something. */
export function useRefreshAccess(workspaceId: string): () => void {
  const { mutate } = useSWRConfig();
  return useCallback(() => {
    void mutate(address(workspaceEndpoints.list.path));
    void mutate(address(workspaceEndpoints.role.path, { workspaceId }));
  }, [mutate, workspaceId]);
}

/**
 * Turns the public changelog on or off: shown at once, taken back when the server refuses. Throws its ApiError then.
 * The list of workspaces is asked for again, because it says the same, and the dashboard, whose first steps hang on it; nobody waits for these.
 */
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
