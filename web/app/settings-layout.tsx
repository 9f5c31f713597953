import { NavLink, Outlet, useLocation } from "react-router-dom";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { useMediaQuery } from "../lib/use-media-query.ts";
import { Grid, Panel, Row, Text } from "../ui/layout.tsx";
import { settingsGroups, visibleItems } from "./navigation.ts";
import css from "./settings-layout.module.css";

/** The settings area: navigation on the left, folded above the page on narrow windows. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const wide = useMediaQuery("(width >= 1024px)");
  const { pathname } = useLocation();
  const groups = settingsGroups
    .map(({ label, items }) => ({ label, items: visibleItems(items, role) }))
    .filter(({ items }) => items.length > 0);
  const current = groups.flatMap(({ items }) => items).findLast(({ to }) => pathname.startsWith(to(workspace.id)));
  const list = (
    <Grid as="ul" role="list" min="8rem">
      {groups.map(({ label, items }) => (
        <li key={label}>
          {items.length > 1 && (
            <Text as="span" size="small" tone="muted">
              {label}
            </Text>
          )}
          <ul role="list">
            {items.map(({ label: name, to }) => (
              <li key={name}>
                <Row as={NavLink} choice to={to(workspace.id)} end={name === "General"} className={css.link}>
                  {name}
                </Row>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </Grid>
  );
  return (
    <div className={css.area}>
      <nav aria-label="Settings">
        {wide ? (
          list
        ) : (
          <Panel as="details" padding={3} gap={0} key={pathname}>
            <summary>Settings{current && `: ${current.label}`}</summary>
            {list}
          </Panel>
        )}
      </nav>
      <div>
        <Outlet />
      </div>
    </div>
  );
}
