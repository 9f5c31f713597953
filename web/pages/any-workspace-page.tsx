import { Navigate } from "react-router-dom";
import { chooseWorkspace } from "#contract/rules/choose-workspace.ts";
import { paths } from "../lib/paths.ts";
import { PageLoading } from "../ui/page-loading.tsx";
import { useWorkspaces } from "../features/workspaces/use-workspaces.ts";
import { lastWorkspaceId } from "../lib/last-workspace.ts";

/** Redirects /workspace to the remembered workspace, the first one, or the list. Source: specification, section 4. */
export function Component() {
  const { data, error } = useWorkspaces();
  if (!data && !error) return <PageLoading />;
  const workspace = chooseWorkspace(data?.workspaces ?? [], null, lastWorkspaceId());
  return <Navigate to={workspace ? paths.dashboard(workspace.id) : paths.workspaces} replace />;
}
