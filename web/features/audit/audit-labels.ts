import type { AuditActor, AuditGroup, AuditKind, AuditLine } from "#contract/audit.ts";
import { moment } from "../../lib/moment.ts";
import { sourceLabels } from "../imports/source-labels.ts";

export const groupWords: Readonly<Record<AuditGroup, string>> = {
  access: "Sign-ins",
  team: "Team",
  keys: "API keys",
  webhooks: "Webhooks",
  exports: "Exports",
  settings: "Settings",
  posts: "Posts",
  reviews: "Approvals",
};

/** What was done, around the name of what or whom it was done to: "Published ‹Dark mode›". */
const words: Readonly<Record<AuditKind, { before: string; named?: true; after?: string }>> = {
  signed_in: { before: "Signed in" },
  workspace_made: { before: "Made the workspace", named: true },
  member_joined: { before: "Joined the team" },
  member_left: { before: "Left the team" },
  member_removed: { before: "Removed", named: true, after: "from the team" },
  role_changed: { before: "Changed the role of", named: true },
  ownership_handed_over: { before: "Handed the workspace over to", named: true },
  invitation_made: { before: "Invited", named: true },
  invitation_changed: { before: "Changed the invitation of", named: true },
  invitation_revoked: { before: "Revoked the invitation of", named: true },
  key_made: { before: "Made the API key", named: true },
  key_used: { before: "Used the API key", named: true, after: "for the first time" },
  key_rotated: { before: "Gave the API key", named: true, after: "a new secret" },
  key_revoked: { before: "Revoked the API key", named: true },
  assistant_connected: { before: "Connected the assistant", named: true },
  assistant_ended: { before: "Ended the connection of the assistant", named: true },
  webhook_made: { before: "Added the webhook", named: true },
  webhook_changed: { before: "Changed the webhook", named: true },
  webhook_on: { before: "Switched the webhook", named: true, after: "on" },
  webhook_off: { before: "Switched the webhook", named: true, after: "off" },
  webhook_secret_rotated: { before: "Gave the webhook", named: true, after: "a new secret" },
  webhook_removed: { before: "Deleted the webhook", named: true },
  workspace_exported: { before: "Exported the workspace" },
  subscribers_exported: { before: "Exported subscribers" },
  audit_exported: { before: "Exported the audit log" },
  workspace_changed: { before: "Changed the workspace" },
  changelog_opened: { before: "Turned the public changelog on" },
  changelog_closed: { before: "Turned the public changelog off" },
  mail_changed: { before: "Changed how mails are sent" },
  widget_changed: { before: "Changed the widget" },
  appearance_changed: { before: "Changed how page, widget and mails look" },
  report_recipient_named: { before: "Named", named: true, after: "to get the reports" },
  report_recipient_removed: { before: "Took", named: true, after: "off the reports" },
  domain_added: { before: "Entered the page's own name", named: true },
  domain_removed: { before: "Removed the page's own name", named: true },
  domain_live: { before: "Readers are led to", named: true },
  domain_lost: { before: "Lost", named: true, after: "as the page's own name" },
  backup_changed: { before: "Said where backups go:", named: true },
  backup_removed: { before: "Switched backups to", named: true, after: "off" },
  backup_restored: { before: "Restored a backup as", named: true },
  post_published: { before: "Published", named: true },
  post_scheduled: { before: "Scheduled", named: true },
  post_archived: { before: "Archived", named: true },
  post_restored: { before: "Restored", named: true },
  post_purged: { before: "Deleted for good", named: true },
  posts_imported: { before: "Imported", named: true },
  import_undone: { before: "Took the import of", named: true, after: "back" },
  preview_link_made: { before: "Made a link to a preview of", named: true },
  preview_link_revoked: { before: "Revoked a link to a preview of", named: true },
  review_rule_changed: { before: "Changed whose posts a second person approves" },
  house_style_changed: { before: "Changed the house style for assistants" },
  review_asked: { before: "Asked for approval of", named: true },
  review_approved: { before: "Approved", named: true },
  review_refused: { before: "Did not approve", named: true },
  proposal_accepted: { before: "Accepted changes to", named: true },
  proposal_refused: { before: "Did not accept changes to", named: true },
};

/** Whose name is not kept, or has gone with the account. */
const unnamed: Partial<Record<AuditKind, string>> = {
  member_removed: "a former member",
  role_changed: "a former member",
  ownership_handed_over: "a former member",
  invitation_made: "someone",
  invitation_changed: "someone",
  invitation_revoked: "someone",
  report_recipient_named: "somebody",
  report_recipient_removed: "somebody",
};

/** `what` null: there is nothing to name. */
export function sentenceOf({ kind, subject }: AuditLine): { before: string; what: string | null; after: string } {
  const { before, named, after = "" } = words[kind];
  const nobody = unnamed[kind] ?? "Untitled";
  return { before, what: named ? subject || nobody : null, after };
}

/** A kind by itself, for the filter. */
export const kindWords = (kind: AuditKind): string =>
  [words[kind].before, words[kind].named && "…", words[kind].after].filter(Boolean).join(" ");

/** An assistant by its person and itself, as in a post's history: "Ana (Claude)". */
export function actorWords({ kind, name, person }: AuditActor): string {
  if (kind === "system") return "Tidings";
  if (person !== null) return `${person.name ?? "A former member"} (${name ?? "a former assistant"})`;
  if (name !== null) return name;
  return kind === "key" ? "A former key" : "A former member";
}

/** Names of what settings say; others are shown as they are. */
const fieldWords: Readonly<Record<string, string>> = {
  name: "Name",
  subdomain: "Subdomain",
  origin: "Website",
  allowed_origins: "Allowed origins",
  logo_url: "Logo",
  enabled: "Mails",
  undo_minutes: "Minutes to take back",
  sender_name: "Sender",
  reply_to: "Replies to",
  time_zone: "Time zone",
  role: "Role",
  publish_at: "For",
  status: "Was",
  scopes: "May",
  expires_at: "Until",
  filter: "Only",
  frequency: "How often",
  tag: "Topic",
  url: "Address",
  host: "Host",
  kind: "Kind",
  events: "Events",
  tags: "Tags",
  reason: "Why",
  source: "From",
  total: "Posts",
  rule: "Whose",
  version: "Version",
  characters: "Characters",
  bucket: "Bucket",
  keep_days: "Days kept",
  accent: "Accent colour",
  theme: "Theme",
  layout: "List",
  font: "Typeface",
  date_format: "Dates",
  links: "Links",
  footer: "Footer",
  branding: "Published with Tidings",
  locale: "Language",
  logo_dark_url: "Logo on dark pages",
  favicon_url: "Favicon",
};

const pictures = new Set(["logo_url", "logo_dark_url", "favicon_url"]);
const lists = new Set(["scopes", "events", "tags"]);

/** What belongs to a line beside its sentence: of a change what was and what is. */
export function detailsOf({ details }: AuditLine): { field: string; before?: string; after: string }[] {
  return Object.entries(details).map(([name, value]) => {
    const field = fieldWords[name] ?? name;
    if (pictures.has(name)) return { field, after: Array.isArray(value) && value[1] === null ? "taken away" : "changed" };
    if (name === "source") return { field, after: (sourceLabels as Readonly<Record<string, string>>)[String(value)] ?? shown(value) };
    // A change; a list of two words is none.
    if (Array.isArray(value) && value.length === 2 && !(lists.has(name) && value.every((one) => typeof one === "string"))) {
      return { field, before: shown(value[0]), after: shown(value[1]) };
    }
    return { field, after: shown(value) };
  });
}

function shown(value: unknown): string {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.map(shown).join(", ");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, part]) => `${fieldWords[name] ?? name}: ${shown(part)}`)
      .join("; ");
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT/.test(text) ? moment(text) : text;
}
