import { workspaceEndpoints } from "#contract/workspaces.ts";
import { useCall } from "../../lib/use-call.ts";

/** The signed-in person's workspaces by name; `data.workspaces`. */
export function useWorkspaces() {
  return useCall(workspaceEndpoints.list, {});
}
