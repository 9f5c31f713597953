import { Link } from "react-router-dom";
import type { Workspace } from "#contract/workspaces.ts";
import { paths } from "../../lib/paths.ts";
import { Avatar } from "../../components/avatar.tsx";
import css from "./workspace-card.module.css";

/** Name and subdomain; the whole card opens the dashboard. */
export function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  return (
    <Link to={paths.dashboard(workspace.id)} className={css.card}>
      <Avatar square large name={workspace.name} src={workspace.logo_url} />
      <span className={css.words}>
        <span className={css.name}>{workspace.name}</span>
        <span className={css.subdomain}>{workspace.subdomain}</span>
      </span>
    </Link>
  );
}
