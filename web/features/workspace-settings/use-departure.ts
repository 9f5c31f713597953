import { useNavigate } from "react-router-dom";
import { useSWRConfig } from "swr";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { paths } from "../../lib/paths.ts";
import { forgetWorkspace } from "../../lib/last-workspace.ts";

/** Goes to the list of workspaces and forgets the one that is left behind. In this order: its pages must not miss it. */
export function useDeparture(): () => Promise<void> {
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  return async () => {
    await navigate(paths.workspaces);
    forgetWorkspace();
    await mutate(workspaceEndpoints.list.path);
  };
}
