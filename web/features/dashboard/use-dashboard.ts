import { workspaceEndpoints } from "#contract/workspaces.ts";
import { useCall } from "../../lib/use-call.ts";

/** Everything the dashboard of a workspace shows. */
export function useDashboard(workspaceId: string) {
  return useCall(workspaceEndpoints.dashboard, { params: { workspaceId } });
}
