import type { Role } from "#contract/kinds.ts";

const viewer = ["General", "Tags", "Assistants", "Danger zone"];
const editor = [...viewer, "Members", "Templates"];
// oxfmt-ignore
const admin = [
  ...editor, "Approvals", "Security", "Appearance", "Access", "Widget", "Domain", "Email", "API keys", "Webhooks", "Chat", "Import", "Audit log", "Plan",
];

/** Labels in the settings' navigation that a role sees. */
export const settingsPages: Record<Role, readonly string[]> = { viewer, editor, admin, owner: [...admin, "Export", "Backup"] };
