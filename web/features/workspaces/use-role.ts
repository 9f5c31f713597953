import type { Role } from "#contract/kinds.ts";
import { workspaceEndpoints, type Workspace } from "#contract/workspaces.ts";
import { useCall } from "../../lib/use-call.ts";

/** The user's role, revalidated per workspace; falls back to the list's role. Null if unknown or no longer a member. Source: specification, sections 4 and 8. */
export function useRole(workspace: Pick<Workspace, "id" | "role"> | null): Role | null {
  const { data, error } = useCall(workspaceEndpoints.role, workspace && { params: { workspaceId: workspace.id } });
  const isDenied = error?.status === 403 || error?.status === 404;
  return isDenied ? null : (data?.role ?? workspace?.role ?? null);
}
