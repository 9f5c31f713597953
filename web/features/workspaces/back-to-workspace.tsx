import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { lastWorkspaceId } from "../../lib/last-workspace.ts";
import { useWorkspaces } from "./use-workspaces.ts";
import css from "./back-to-workspace.module.css";

/** Link to the last workspace or the list; hidden without workspaces. */
export function BackToWorkspace() {
  const workspaces = useWorkspaces().data?.workspaces ?? [];
  const last = workspaces.find(({ id }) => id === lastWorkspaceId());
  if (workspaces.length === 0) return null;
  return (
    <ButtonLink to={last ? paths.dashboard(last.id) : paths.workspaces} variant="quiet" icon="arrow-left" className={css.back}>
      <span>
        Back<span className={css.where}> to {last?.name ?? "your workspaces"}</span>
      </span>
    </ButtonLink>
  );
}
