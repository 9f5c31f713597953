import type { AddOn, Role } from "#contract/kinds.ts";
import type { IconName } from "../ui/icon.tsx";
import { paths } from "../lib/paths.ts";

export interface NavItem {
  label: string;
  icon: IconName;
  to: (workspaceId: string) => string;
  /** Source: specification, section 6. */
  roles: readonly Role[];
  /** Required add-ons; a badge shows while one is missing. */
  addOns?: readonly (AddOn | "teams")[];
  plus?: { label: string; to: (workspaceId: string) => string; roles: readonly Role[] };
  unfoldsPosts?: true;
}

const everyone: readonly Role[] = ["admin", "owner", "editor", "viewer"];
const writers: readonly Role[] = ["admin", "editor", "owner"];

const dashboard: NavItem = { label: "Dashboard", icon: "home", to: paths.dashboard, roles: everyone };
const changelog: NavItem = {
  label: "Changelog",
  icon: "megaphone",
  to: paths.changelog,
  roles: everyone,
  plus: { label: "New post", to: paths.newPost, roles: writers },
  unfoldsPosts: true,
};
const analytics: NavItem = { label: "Analytics", icon: "chart-bar", to: paths.analytics, roles: everyone, addOns: ["analytics"] };
const widget: NavItem = { label: "Widget", icon: "code", to: paths.widget, roles: ["admin", "owner"] };
const appearance: NavItem = { label: "Appearance", icon: "palette", to: paths.appearance, roles: ["admin", "owner"] };
const subscribers: NavItem = { label: "Subscribers", icon: "envelope", to: paths.subscribers, roles: everyone };
const developers: NavItem = { label: "Developers", icon: "server", to: paths.developers, roles: ["admin", "owner"] };
const workspace: NavItem = { label: "Workspace", icon: "building", to: paths.settings, roles: ["editor", "owner"] };

const team: NavItem = { label: "Team", icon: "users", to: paths.team, roles: ["admin", "owner", "editor"], addOns: ["teams"] };

/** Source: specification, section 2 ("Header and sidebar navigation"). */
export const headerItems: readonly NavItem[] = [dashboard, changelog, analytics, widget, team];
export const mainItems: readonly NavItem[] = [dashboard, changelog, widget, appearance, subscribers, analytics, developers];
export const footerItems: readonly NavItem[] = [workspace, team];
/** Every page, for the palette and its shortcuts. */
export const pageItems: readonly NavItem[] = [
  dashboard,
  changelog,
  analytics,
  widget,
  appearance,
  subscribers,
  team,
  developers,
  { ...workspace, label: "Workspace settings", roles: everyone },
  { label: "Audit log", icon: "shield", to: paths.audit, roles: ["admin", "owner"] },
];

/** The items a role sees; when no role is known, everything shows. */
export function visibleItems(items: readonly NavItem[], role: Role | null): readonly NavItem[] {
  return items.filter((item) => allows(item.roles, role));
}

export const allows = (roles: readonly Role[], role: Role | null): boolean => role === null || roles.includes(role);
