import { NavLink, Outlet, useLocation } from "react-router-dom";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { useMediaQuery } from "../lib/use-media-query.ts";
import { settingsGroups, visibleItems } from "./navigation.ts";
import css from "./settings-layout.module.css";

/** The settings area: navigation on the left, folded above the page on narrow windows. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const wide = useMediaQuery("(width >= 1200px)");
  const { pathname } = useLocation();
  const groups = settingsGroups
    .map(({ label, items }) => ({ label, items: visibleItems(items, role) }))
    .filter(({ items }) => items.length > 0);
  const current = groups.flatMap(({ items }) => items).findLast(({ to }) => pathname.startsWith(to(workspace.id)));
  const list = (
    <ul role="list" className={css.groups}>
      {groups.map(({ label, items }) => (
        <li key={label}>
          {items.length > 1 && <span className={css.label}>{label}</span>}
          <ul role="list">
            {items.map(({ label: name, to }) => (
              <li key={name}>
                <NavLink to={to(workspace.id)} end={name === "General"} className={css.link}>
                  {name}
                </NavLink>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
  return (
    <div className={css.area}>
      <nav aria-label="Settings">
        {wide ? (
          list
        ) : (
          <details key={pathname} className={css.folded}>
            <summary>Settings{current && `: ${current.label}`}</summary>
            {list}
          </details>
        )}
      </nav>
      <div>
        <Outlet />
      </div>
    </div>
  );
}
