import { useMatch, useNavigate } from "react-router-dom";
import type { Workspace } from "#contract/workspaces.ts";
import { helpChoices } from "../features/account/help-choices.ts";
import type { Command } from "../features/posts/search/command.ts";
import { goToNeighbour } from "../features/posts/list/neighbours.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { publicAddress, useConfig } from "../lib/config.ts";
import type { SwitchState } from "../lib/leave-guard.ts";
import { openOverlay } from "../lib/overlays.ts";
import { paths } from "../lib/paths.ts";
import { setTheme, storedTheme, type Theme } from "../lib/theme.ts";
import { toasts } from "../lib/toasts.ts";
import { pageItems, visibleItems } from "./navigation.ts";

const themes: readonly (readonly [Theme, string, Command["icon"]])[] = [
  ["light", "Light appearance", "sun"],
  ["dark", "Dark appearance", "moon"],
  ["system", "System appearance", "desktop"],
];

/** Shortcut keys by page, also shown in the palette. */
export const pageKeys: Readonly<Record<string, string>> = {
  Dashboard: "g d",
  Changelog: "g c",
  Analytics: "g a",
  Widget: "g w",
  Team: "g t",
  "Workspace settings": "g s",
};
/** Search keywords by page. */
const pageWords: Readonly<Record<string, string>> = {
  Analytics: "views readers numbers",
  Widget: "install snippet script allowed origins",
  Appearance: "look page colour color accent logo favicon font typeface theme layout language footer brand",
  Subscribers: "readers import export",
  Team: "members invite invitations roles",
  "Workspace settings": "general name logo website house style",
  Approvals: "reviews approval",
  Security: "require two-factor authentication 2fa",
  Tags: "manage rename merge delete colour",
  Templates: "manage rename delete",
  Domain: "own custom dns address",
  Email: "sender reply-to undo window digest deliverability spf dkim dmarc monthly report",
  "API keys": "developers ci token api reference",
  Webhooks: "developers http",
  Chat: "slack discord teams",
  Assistants: "claude chatgpt cursor mcp house style",
  Import: "posts move bring migrate changelog",
  Export: "download json markdown",
  Backup: "restore bucket s3",
  "Audit log": "who did what security",
  Plan: "add-ons upgrade",
  "Danger zone": "delete leave transfer hand over ownership",
};
export const newPostKey = "c";
export const nextPostKey = "j";
export const formerPostKey = "k";
export const shortcutsKey = "?";

/** The palette's commands for the current role. */
export function useAppCommands(workspaces: readonly Workspace[]): Command[] {
  const { workspace, role, canWrite } = useCurrentWorkspace();
  const host = useConfig()?.host;
  const navigate = useNavigate();
  const inList = useMatch("/workspace/:workspaceId/changelog/*") !== null;
  const go = (to: string) => () => void navigate(to);
  const address = host && workspace.public_changelog_enabled ? publicAddress(workspace, host) : null;

  const switchState: SwitchState = { chosen: true };
  return [
    ...(canWrite
      ? [
          {
            id: "new",
            label: "New post",
            icon: "plus" as const,
            words: "create write",
            keys: newPostKey,
            run: go(paths.newPost(workspace.id)),
          },
          {
            id: "new from template",
            label: "New post from template",
            icon: "file" as const,
            words: "create write templates manage rename delete",
            run: () => openOverlay("templates"),
          },
        ]
      : []),
    ...(inList
      ? [
          {
            id: "next",
            label: "Next post",
            icon: "angle-down" as const,
            words: "list below",
            keys: nextPostKey,
            run: () => goToNeighbour(1),
          },
          {
            id: "former",
            label: "Previous post",
            icon: "angle-up" as const,
            words: "list above before",
            keys: formerPostKey,
            run: () => goToNeighbour(-1),
          },
        ]
      : []),
    ...visibleItems(pageItems, role).map(({ label, icon, to }) => ({
      id: `go ${label}`,
      label: `Go to ${label}`,
      icon,
      words: pageWords[label],
      keys: pageKeys[label],
      run: go(to(workspace.id)),
    })),
    {
      id: "profile",
      label: "Go to Profile settings",
      icon: "user" as const,
      words: "name avatar job title email password cookies",
      run: go(paths.profile),
    },
    {
      id: "security",
      label: "Go to your security settings",
      icon: "lock" as const,
      words: "two-factor authentication 2fa totp recovery codes sessions assistants",
      run: go(paths.security),
    },
    { id: "workspaces", label: "Go to Your workspaces", icon: "th-large" as const, run: go(paths.workspaces) },
    ...workspaces
      .filter(({ id }) => id !== workspace.id)
      .map(({ id, name }) => ({
        id: `switch ${id}`,
        label: `Switch to ${name}`,
        icon: "building" as const,
        words: "workspace",
        run: () => void navigate(paths.dashboard(id), { state: switchState }),
      })),
    ...(address
      ? [
          {
            id: "copy",
            label: "Copy public page link",
            icon: "link" as const,
            words: "url address changelog",
            run: () => void copy(address),
          },
          {
            id: "view",
            label: "View public page",
            icon: "external-link" as const,
            run: () => void window.open(address, "_blank", "noreferrer"),
          },
        ]
      : []),
    ...themes
      .filter(([theme]) => theme !== storedTheme())
      .map(([theme, label, icon]) => ({ id: theme, label, icon, words: "theme mode", run: () => setTheme(theme) })),
    ...helpChoices.map(({ label, icon, onChoose }) => ({ id: label, label, icon, words: "documentation release news", run: onChoose })),
    {
      id: "shortcuts",
      label: "Keyboard shortcuts",
      icon: "question-circle" as const,
      words: "help keys",
      keys: shortcutsKey,
      run: () => openOverlay("shortcuts"),
    },
  ];
}

async function copy(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    toasts.success("Link copied to clipboard", address);
  } catch {
    toasts.error("Couldn't copy the link", address);
  }
}
