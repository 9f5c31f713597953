import type { AddOn, Role } from "#contract/kinds.ts";
import type { IconName } from "../ui/icon.tsx";
import { paths, type SettingsPage } from "../lib/paths.ts";

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
const workspace: NavItem = { label: "Workspace", icon: "building", to: (id) => paths.settings(id), roles: ["editor", "owner"] };
const team: NavItem = { label: "Team", icon: "users", to: paths.team, roles: ["admin", "owner", "editor"], addOns: ["teams"] };

/** Source: specification, section 2 ("Header and sidebar navigation"). */
export const headerItems: readonly NavItem[] = [dashboard, changelog, analytics, widget, team];
export const mainItems: readonly NavItem[] = [dashboard, changelog, widget, subscribers, analytics];
export const footerItems: readonly NavItem[] = [workspace, team];

const admins: readonly Role[] = ["admin", "owner"];
const setting = (label: string, icon: IconName, page: SettingsPage, roles: readonly Role[]): NavItem => ({
  label,
  icon,
  to: (id) => paths.settings(id, page),
  roles,
});
/** The settings area's own navigation. */
export const settingsGroups: readonly { label: string; items: readonly NavItem[] }[] = [
  {
    label: "Workspace",
    items: [
      { ...workspace, label: "General", roles: everyone },
      { ...team, label: "Members", roles: ["admin", "owner", "editor"] },
      setting("Approvals", "check-circle", "approvals", admins),
      setting("Security", "lock", "security", admins),
      setting("Tags", "tags", "tags", everyone),
      setting("Templates", "file", "templates", writers),
    ],
  },
  {
    label: "Publishing",
    items: [
      appearance,
      widget,
      setting("Access", "eye", "access", admins),
      setting("Domain", "globe", "domain", admins),
      setting("Email", "envelope", "email", admins),
    ],
  },
  {
    label: "Integrations",
    items: [
      setting("API keys", "lock", "api-keys", admins),
      setting("Webhooks", "server", "webhooks", admins),
      setting("Chat", "comments", "chat", admins),
      setting("Assistants", "star", "assistants", everyone),
    ],
  },
  {
    label: "Data",
    items: [
      { label: "Import", icon: "download", to: paths.importPosts, roles: admins },
      setting("Export", "upload", "export", ["owner"]),
      setting("Backup", "save", "backup", ["owner"]),
      { label: "Audit log", icon: "shield", to: paths.audit, roles: admins },
    ],
  },
  { label: "Plan", items: [setting("Plan", "bolt", "plan", admins)] },
  { label: "Danger zone", items: [setting("Danger zone", "exclamation-triangle", "danger", everyone)] },
];

/** Every page, for the palette and its shortcuts. */
export const pageItems: readonly NavItem[] = [
  dashboard,
  changelog,
  analytics,
  subscribers,
  team,
  { ...workspace, label: "Workspace settings", roles: everyone },
  ...settingsGroups.flatMap(({ items }) => items.filter(({ label }) => label !== "General" && label !== "Members")),
];

/** The items a role sees; when no role is known, everything shows. */
export function visibleItems(items: readonly NavItem[], role: Role | null): readonly NavItem[] {
  return items.filter((item) => allows(item.roles, role));
}

export const allows = (roles: readonly Role[], role: Role | null): boolean => role === null || roles.includes(role);
