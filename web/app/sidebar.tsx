import type { Workspace } from "#contract/workspaces.ts";
import { Avatar } from "../components/avatar.tsx";
import { IconButton } from "../components/icon-button.tsx";
import { IconLink } from "../components/icon-link.tsx";
import { useProfile } from "../features/session/profile.ts";
import { useSignOut } from "../features/session/use-sign-out.ts";
import { WorkspaceSwitcher } from "../features/workspaces/workspace-switcher.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { footerItems, mainItems, visibleItems, type NavItem } from "./navigation.ts";
import { paths } from "../lib/paths.ts";
import { SidebarEntry } from "./sidebar-entry.tsx";
import css from "./sidebar.module.css";

/** Switcher, main entries, footer entries and the person. `onChoose` after anything that leads away. */
export function Sidebar({ workspaces, onChoose }: { workspaces: readonly Workspace[]; onChoose: () => void }) {
  const { workspace, role } = useCurrentWorkspace();
  const { data: profile } = useProfile();
  const signOut = useSignOut();
  const entries = (items: readonly NavItem[]) =>
    visibleItems(items, role).map((item) => <SidebarEntry key={item.label} item={item} onChoose={onChoose} />);
  const footer = entries(footerItems);

  return (
    <div className={css.sidebar}>
      <WorkspaceSwitcher workspaces={workspaces} current={workspace} onChoose={onChoose} />
      <nav className={css.nav} aria-label="Workspace">
        <ul role="list" className={css.list}>
          {entries(mainItems)}
        </ul>
        {footer.length > 0 && (
          <ul role="list" className={css.list}>
            {footer}
          </ul>
        )}
      </nav>
      <div className={css.person}>
        <Avatar name={profile?.full_name ?? ""} src={profile?.avatar_url} />
        <span className={css.name}>{profile?.full_name}</span>
        <IconLink to={paths.profile} icon="cog" label="Settings" className={css.small} onClick={onChoose} />
        <IconButton icon="sign-out" label="Sign out" onClick={() => signOut()} />
      </div>
    </div>
  );
}
