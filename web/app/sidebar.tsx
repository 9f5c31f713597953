import { useId, useState } from "react";
import { Link, type LinkProps, NavLink } from "react-router-dom";
import type { Workspace } from "#contract/workspaces.ts";
import { Avatar } from "../ui/avatar.tsx";
import buttonCss from "../ui/button.module.css";
import { IconButton } from "../ui/icon-button.tsx";
import { useAddOns } from "../features/add-ons/use-add-ons.ts";
import { useProfile } from "../features/account/profile.ts";
import { useSignOut } from "../features/account/use-sign-out.ts";
import { WorkspaceSwitcher } from "../features/workspaces/workspace-switcher.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { footerItems, mainItems, visibleItems, type NavItem, allows } from "./navigation.ts";
import { paths } from "../lib/paths.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { PostSubmenu } from "./post-submenu.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import { useIsMobile } from "../lib/use-media-query.ts";
import { Row, Stack, Text } from "../ui/layout.tsx";
import css from "./frame.module.css";

interface SidebarProps {
  workspaces: readonly Workspace[];
  /** Icons only, with tooltips. */
  rail: boolean;
  /** Runs after any navigation. */
  onChoose: () => void;
}

export function Sidebar({ workspaces, rail, onChoose }: SidebarProps) {
  const { workspace, role } = useCurrentWorkspace();
  const { data: profile } = useProfile();
  const signOut = useSignOut();
  const entries = (items: readonly NavItem[]) =>
    visibleItems(items, role).map((item) => <SidebarEntry key={item.label} item={item} rail={rail} onChoose={onChoose} />);
  const footer = entries(footerItems);

  return (
    <Stack className={css.menu}>
      <WorkspaceSwitcher workspaces={workspaces} current={workspace} onChoose={onChoose} />
      <nav className={css.nav} aria-label="Workspace">
        <Stack as="ul" role="list" gap={1}>
          {entries(mainItems)}
        </Stack>
        {footer.length > 0 && (
          <Stack as="ul" role="list" gap={1}>
            {footer}
          </Stack>
        )}
      </nav>
      <Row nowrap className={css.person}>
        <Avatar name={profile?.full_name ?? ""} src={profile?.avatar_url} />
        <Text as="span" truncate grow className={css.label}>
          {profile?.full_name}
        </Text>
        <IconLink to={paths.profile} icon="cog" label="Settings" onClick={onChoose} />
        <IconButton icon="sign-out" label="Sign out" onClick={() => signOut()} />
      </Row>
    </Stack>
  );
}

function SidebarEntry({ item, rail, onChoose }: { item: NavItem } & Pick<SidebarProps, "rail" | "onChoose">) {
  const { workspace, role } = useCurrentWorkspace();
  const id = useId();
  const [open, setOpen] = useState(false);
  const plus = item.plus && allows(item.plus.roles, role) && !workspace.suspension ? item.plus : undefined;

  const link = (
    <Row as={NavLink} choice nowrap gap={3} to={item.to(workspace.id)} className={css.link} onClick={onChoose}>
      <Icon name={item.icon} />
      <span className={css.label}>{item.label}</span>
      {item.addOns && <AddOnBadge needed={item.addOns} />}
    </Row>
  );
  if (rail) {
    return (
      <li className={css.entry}>
        <Tooltip text={item.label} names>
          {link}
        </Tooltip>
      </li>
    );
  }
  return (
    <li>
      <div className={css.entry}>
        {link}
        <span className={css.entryActions}>
          {item.unfoldsPosts && (
            <IconButton
              icon={open ? "angle-up" : "angle-down"}
              label={open ? "Hide posts" : "Show posts"}
              aria-expanded={open}
              aria-controls={open ? id : undefined}
              onClick={() => setOpen(!open)}
            />
          )}
          {plus && <IconLink to={plus.to(workspace.id)} icon="plus" label={plus.label} onClick={onChoose} />}
        </span>
      </div>
      {open && <PostSubmenu key={workspace.id} id={id} workspaceId={workspace.id} onChoose={onChoose} />}
    </li>
  );
}

/** Marks an entry with missing add-ons; on mobile it shows their number. */
function AddOnBadge({ needed }: { needed: NonNullable<NavItem["addOns"]> }) {
  const { workspace } = useCurrentWorkspace();
  const owned = useAddOns(workspace.id).data?.add_ons.map(({ add_on }) => add_on);
  const mobile = useIsMobile();
  const addOns = owned === undefined ? [] : needed.filter((addOn) => !owned.includes(addOn));
  if (addOns.length === 0) return null;
  return (
    <span className={css.badgePlace}>
      <Tooltip text={`Add-on: ${addOns.join(", ")}`} names>
        <span className={css.badge}>
          <Icon name="bolt" />
          {mobile && <span aria-hidden="true">{addOns.length}</span>}
          <span className="visually-hidden"> add-on</span>
        </span>
      </Tooltip>
    </span>
  );
}

interface IconLinkProps extends Omit<LinkProps, "children"> {
  icon: IconName;
  /** Accessible name and tooltip. */
  label: string;
}

function IconLink({ icon, label, ...link }: IconLinkProps) {
  return (
    <Tooltip text={label} names>
      <Link {...link} className={buttonCss.icon} aria-label={label}>
        <Icon name={icon} />
      </Link>
    </Tooltip>
  );
}
