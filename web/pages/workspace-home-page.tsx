import { Navigate } from "react-router-dom";
import { paths } from "../lib/paths.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";

export function Component() {
  const { workspace } = useCurrentWorkspace();
  return <Navigate to={paths.dashboard(workspace.id)} replace />;
}
