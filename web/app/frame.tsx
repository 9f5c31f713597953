import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link, NavLink, useLocation, useMatches } from "react-router-dom";
import type { Workspace } from "#contract/workspaces.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Logo } from "../ui/logo.tsx";
import { AccountMenu } from "../features/account/account-menu.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { SuspensionNotice } from "../features/workspaces/suspension-notice.tsx";
import { commandKey } from "../features/editor/toolbar/use-shortcuts.ts";
import { classNames } from "../lib/class-names.ts";
import { publicAddress, useConfig } from "../lib/config.ts";
import { openOverlay } from "../lib/overlays.ts";
import { paths } from "../lib/paths.ts";
import { useDrawerFocus } from "../lib/use-drawer-focus.ts";
import { useIsMobile, useMediaQuery } from "../lib/use-media-query.ts";
import { SettingsMenu } from "./settings-menu.tsx";
import { Sidebar } from "./sidebar.tsx";
import { headerItems, visibleItems } from "./navigation.ts";
import { Row } from "../ui/layout.tsx";
import css from "./frame.module.css";

/**
 * Masthead, page and navigation, in tab order: few stops lead into the page. Beside a page's own column the sidebar is a rail of icons. Under
 * 1024 px it's an overlay that closes on selection, and from 768 px on links to the pages are shown in the masthead.
 */
export function Frame({ workspaces, children }: { workspaces: readonly Workspace[]; children: ReactNode }) {
  const mobile = useIsMobile();
  const narrow = useMediaQuery("(width < 1024px)");
  const folds = useMatches().some(({ handle }) => handle === "rail") || narrow;
  const [open, setOpen] = useMenu();
  const covered = folds && open;
  const rail = folds && !narrow && !open;
  const sidebar = useRef<HTMLElement>(null);
  useDrawerFocus(narrow && open, sidebar);

  return (
    <div className={classNames(css.frame, folds && css.folded)} onKeyDown={(event) => event.key === "Escape" && setOpen(false)}>
      <a href="#content" className={css.skip}>
        Skip to content
      </a>
      <header className={css.masthead}>
        {folds && (
          <IconButton
            icon={open ? "times" : "bars"}
            label={open ? "Close menu" : "Open menu"}
            aria-expanded={open}
            aria-controls="sidebar"
            onClick={() => setOpen(!open)}
          />
        )}
        <Link to={paths.workspaces} className={css.logo}>
          <Logo mark={narrow && !mobile} />
        </Link>
        <button type="button" className={css.tool} aria-keyshortcuts="Control+K Meta+K" onClick={() => openOverlay("palette")}>
          <Icon name="search" />
          <span>Search</span>
          <kbd aria-hidden="true">{commandKey("K")}</kbd>
        </button>
        <PublicPageLink />
        <SettingsMenu />
        <AccountMenu />
      </header>
      <main id="content" className={css.content} onPointerDown={() => setOpen(false)}>
        <div className={css.contents} inert={covered}>
          <SuspensionNotice />
          {children}
        </div>
      </main>
      {narrow && !mobile && <HeaderNav />}
      <aside
        ref={sidebar}
        id="sidebar"
        aria-label="Sidebar"
        className={classNames(css.sidebar, rail ? css.rail : folds && css.overlay, covered && css.open)}
        inert={narrow && !open}
      >
        {covered && <h1 className="visually-hidden">Menu</h1>}
        <Sidebar workspaces={workspaces} rail={rail} onChoose={() => setOpen(false)} />
      </aside>
    </div>
  );
}

function useMenu() {
  const { key } = useLocation();
  const state = useState(false);
  const setOpen = state[1];
  useEffect(() => setOpen(false), [key, setOpen]);
  return state;
}

function PublicPageLink() {
  const { workspace } = useCurrentWorkspace();
  const config = useConfig();
  if (!config || !workspace.public_changelog_enabled || workspace.suspension) return null;
  return (
    <a className={css.tool} href={publicAddress(workspace, config.host)} target="_blank" rel="noreferrer">
      <Icon name="external-link" />
      <span>View public page</span>
    </a>
  );
}

function HeaderNav() {
  const { workspace, role } = useCurrentWorkspace();
  return (
    <nav className={css.headerNav} aria-label="Pages">
      {visibleItems(headerItems, role).map(({ label, to }) => (
        <Row as={NavLink} choice key={label} to={to(workspace.id)} className={css.link}>
          {label}
        </Row>
      ))}
    </nav>
  );
}
