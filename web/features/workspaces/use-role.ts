import type { Role } from "#contract/kinds.ts";
import { workspaceEndpoints, type Workspace } from "#contract/workspaces.ts";
import { useCall } from "../../lib/use-call.ts";

/**
 * The person's role in a workspace, asked for again whenever another one is shown; the list's answer stands in meanwhile.
 * Null when it is not known, or the person is no member any more; a question that got no answer changes nothing.
 * Source: specification, sections 4 and 8.
 */
export function useRole(workspace: Pick<Workspace, "id" | "role"> | null): Role | null {
  const { data, error } = useCall(workspaceEndpoints.role, workspace && { params: { workspaceId: workspace.id } });
  const refused = error?.status === 403 || error?.status === 404;
  return refused ? null : (data?.role ?? workspace?.role ?? null);
}
