import { useId, useState } from "react";
import { NavLink } from "react-router-dom";
import { IconButton } from "../components/icon-button.tsx";
import { IconLink } from "../components/icon-link.tsx";
import { Icon } from "../components/icon.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { AddOnBadge } from "./add-on-badge.tsx";
import { allows, type NavItem } from "./navigation.ts";
import { PostSubmenu } from "./post-submenu.tsx";
import css from "./sidebar.module.css";

/** One line of the sidebar: the link, its badge, its plus, and what unfolds under it. */
export function SidebarEntry({ item, onChoose }: { item: NavItem; onChoose: () => void }) {
  const { workspace, role } = useCurrentWorkspace();
  const id = useId();
  const [open, setOpen] = useState(false);
  const plus = item.plus && allows(item.plus.roles, role) ? item.plus : undefined;

  return (
    <li>
      <div className={css.entry}>
        <NavLink to={item.to(workspace.id)} className={css.link} onClick={onChoose}>
          <Icon name={item.icon} />
          {item.label}
          {item.addOns && <AddOnBadge addOns={item.addOns} />}
        </NavLink>
        <span className={css.beside}>
          {item.unfoldsPosts && (
            <IconButton
              icon={open ? "angle-up" : "angle-down"}
              label={open ? "Hide posts" : "Show posts"}
              aria-expanded={open}
              aria-controls={open ? id : undefined}
              className={css.small}
              onClick={() => setOpen(!open)}
            />
          )}
          {plus && <IconLink to={plus.to(workspace.id)} icon="plus" label={plus.label} className={css.small} onClick={onChoose} />}
        </span>
      </div>
      {open && <PostSubmenu key={workspace.id} id={id} workspaceId={workspace.id} onChoose={onChoose} />}
    </li>
  );
}
