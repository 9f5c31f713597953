import { NavLink } from "react-router-dom";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { headerItems, visibleItems } from "./navigation.ts";
import css from "./header-nav.module.css";

/** The workspace's pages across the top, where there is room for them beside the sidebar. */
export function HeaderNav() {
  const { workspace, role } = useCurrentWorkspace();
  return (
    <nav className={css.nav} aria-label="Pages">
      {visibleItems(headerItems, role).map(({ label, to }) => (
        <NavLink key={label} to={to(workspace.id)} className={css.link}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
