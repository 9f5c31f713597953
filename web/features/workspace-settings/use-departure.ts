import { useNavigate } from "react-router-dom";
import { useSWRConfig } from "swr";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { paths } from "../../lib/paths.ts";
import { forgetWorkspace } from "../../lib/last-workspace.ts";

/** Navigates first, then clears the workspace: its open pages would report it missing. */
export function useDeparture(): () => Promise<void> {
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  return async () => {
    await navigate(paths.workspaces);
    forgetWorkspace();
    await mutate(workspaceEndpoints.list.path);
  };
}
