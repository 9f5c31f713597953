import type { AuditActor, AuditGroup, AuditKind, AuditLine } from "#contract/audit.ts";
import { moment } from "../../lib/moment.ts";
import { sourceLabels } from "../imports/source-labels.ts";

export const groupLabels: Readonly<Record<AuditGroup, string>> = {
  access: "Sign-ins",
  team: "Team",
  keys: "API keys",
  webhooks: "Webhooks",
  exports: "Exports",
  settings: "Settings",
  posts: "Posts",
  reviews: "Approvals",
};

/** Text around the subject's name: "Published ‹Dark mode›". */
const kindLabels: Readonly<Record<AuditKind, { before: string; hasSubject?: true; after?: string }>> = {
  signed_in: { before: "Signed in" },
  workspace_made: { before: "Created workspace", hasSubject: true },
  member_joined: { before: "Joined the team" },
  member_left: { before: "Left the team" },
  member_removed: { before: "Removed", hasSubject: true, after: "from the team" },
  role_changed: { before: "Changed the role of", hasSubject: true },
  ownership_handed_over: { before: "Transferred ownership to", hasSubject: true },
  invitation_made: { before: "Invited", hasSubject: true },
  invitation_changed: { before: "Changed the invitation of", hasSubject: true },
  invitation_revoked: { before: "Revoked the invitation of", hasSubject: true },
  key_made: { before: "Created API key", hasSubject: true },
  key_used: { before: "Used API key", hasSubject: true, after: "for the first time" },
  key_rotated: { before: "Created a new secret for API key", hasSubject: true },
  key_revoked: { before: "Revoked API key", hasSubject: true },
  assistant_connected: { before: "Connected assistant", hasSubject: true },
  assistant_ended: { before: "Disconnected assistant", hasSubject: true },
  webhook_made: { before: "Added webhook", hasSubject: true },
  webhook_changed: { before: "Changed webhook", hasSubject: true },
  webhook_on: { before: "Turned on webhook", hasSubject: true },
  webhook_off: { before: "Turned off webhook", hasSubject: true },
  webhook_secret_rotated: { before: "Created a new secret for webhook", hasSubject: true },
  webhook_removed: { before: "Deleted webhook", hasSubject: true },
  workspace_exported: { before: "Exported the workspace" },
  subscribers_exported: { before: "Exported subscribers" },
  audit_exported: { before: "Exported the audit log" },
  workspace_changed: { before: "Changed the workspace" },
  changelog_opened: { before: "Turned the public changelog on" },
  changelog_closed: { before: "Turned the public changelog off" },
  access_changed: { before: "Changed who can read the public changelog" },
  mail_changed: { before: "Changed email settings" },
  widget_changed: { before: "Changed the widget" },
  appearance_changed: { before: "Changed appearance" },
  report_recipient_named: { before: "Added", hasSubject: true, after: "to report recipients" },
  report_recipient_removed: { before: "Removed", hasSubject: true, after: "from report recipients" },
  domain_added: { before: "Added custom domain", hasSubject: true },
  domain_removed: { before: "Removed custom domain", hasSubject: true },
  domain_live: { before: "Custom domain", hasSubject: true, after: "went live" },
  domain_lost: { before: "Custom domain", hasSubject: true, after: "was disconnected" },
  backup_changed: { before: "Changed backup destination to", hasSubject: true },
  backup_removed: { before: "Turned off backups to", hasSubject: true },
  backup_restored: { before: "Restored a backup as", hasSubject: true },
  post_published: { before: "Published", hasSubject: true },
  post_scheduled: { before: "Scheduled", hasSubject: true },
  post_archived: { before: "Archived", hasSubject: true },
  post_restored: { before: "Restored", hasSubject: true },
  post_purged: { before: "Permanently deleted", hasSubject: true },
  posts_imported: { before: "Imported", hasSubject: true },
  import_undone: { before: "Undid the import of", hasSubject: true },
  preview_link_made: { before: "Created a preview link for", hasSubject: true },
  preview_link_revoked: { before: "Revoked a preview link for", hasSubject: true },
  security_changed: { before: "Changed the security settings" },
  email_domain_added: { before: "Added the email domain", hasSubject: true },
  email_domain_proven: { before: "Verified the email domain", hasSubject: true },
  email_domain_lost: { before: "Lost the email domain", hasSubject: true },
  email_domain_removed: { before: "Removed the email domain", hasSubject: true },
  single_sign_on_tested: { before: "Single sign-on was tested by", hasSubject: true },
  break_glass_used: { before: "Stopped requiring single sign-on with the break-glass code" },
  factor_reset_requested: { before: "Asked to reset the two-factor authentication of", hasSubject: true },
  factor_reset: { before: "Reset the two-factor authentication of", hasSubject: true },
  review_rule_changed: { before: "Changed the approval rule" },
  house_style_changed: { before: "Changed the house style for assistants" },
  review_asked: { before: "Requested approval for", hasSubject: true },
  review_approved: { before: "Approved", hasSubject: true },
  review_refused: { before: "Requested changes to", hasSubject: true },
  proposal_accepted: { before: "Accepted changes to", hasSubject: true },
  proposal_refused: { before: "Declined changes to", hasSubject: true },
};

/** Names that aren't stored or were deleted with the account. */
const unnamedSubjects: Partial<Record<AuditKind, string>> = {
  member_removed: "a former member",
  role_changed: "a former member",
  ownership_handed_over: "a former member",
  invitation_made: "someone",
  invitation_changed: "someone",
  invitation_revoked: "someone",
  report_recipient_named: "someone",
  report_recipient_removed: "someone",
};

/** `what` is null without a subject. */
export function describeEvent({ kind, subject }: AuditLine): { before: string; what: string | null; after: string } {
  const { before, hasSubject, after = "" } = kindLabels[kind];
  const fallbackName = unnamedSubjects[kind] ?? "Untitled";
  return { before, what: hasSubject ? subject || fallbackName : null, after };
}

/** Label of a kind in the filter. */
export const kindLabel = (kind: AuditKind): string =>
  [kindLabels[kind].before, kindLabels[kind].hasSubject && "…", kindLabels[kind].after].filter(Boolean).join(" ");

/** Assistants show with their user: "Ana (Claude)". */
export function actorName({ kind, name, person }: AuditActor): string {
  if (kind === "system") return "Tidings";
  if (person !== null) return `${person.name ?? "A former member"} (${name ?? "a former assistant"})`;
  if (name !== null) return name;
  return kind === "key" ? "A former key" : "A former member";
}

/** Labels of known fields. */
const fieldLabels: Readonly<Record<string, string>> = {
  name: "Name",
  access: "Access",
  password: "Password",
  emails_content: "Whole posts in emails",
  ended: "Access of all readers ended",
  subdomain: "Subdomain",
  origin: "Website",
  allowed_origins: "Allowed origins",
  logo_url: "Logo",
  enabled: "Emails",
  undo_minutes: "Undo window (minutes)",
  sender_name: "Sender",
  reply_to: "Reply-to address",
  time_zone: "Time zone",
  role: "Role",
  publish_at: "Scheduled for",
  status: "Previous status",
  scopes: "Permissions",
  expires_at: "Expires",
  filter: "Filter",
  frequency: "Frequency",
  tag: "Topic",
  url: "URL",
  host: "Host",
  kind: "Kind",
  events: "Events",
  tags: "Tags",
  reason: "Reason",
  source: "From",
  total: "Posts",
  rule: "Approval rule",
  version: "Version",
  characters: "Characters",
  bucket: "Bucket",
  keep_days: "Retention (days)",
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

/** Details of an event; for changes the old and new value. */
export function eventDetails({ details }: AuditLine): { field: string; before?: string; after: string }[] {
  return Object.entries(details).map(([name, value]) => {
    const field = fieldLabels[name] ?? name;
    if (pictures.has(name)) return { field, after: Array.isArray(value) && value[1] === null ? "removed" : "changed" };
    if (name === "source") return { field, after: (sourceLabels as Readonly<Record<string, string>>)[String(value)] ?? formatValue(value) };
    // A pair is a change, unless the field is a list.
    if (Array.isArray(value) && value.length === 2 && !(lists.has(name) && value.every((one) => typeof one === "string"))) {
      return { field, before: formatValue(value[0]), after: formatValue(value[1]) };
    }
    return { field, after: formatValue(value) };
  });
}

function formatValue(value: unknown): string {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.map(formatValue).join(", ");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, part]) => `${fieldLabels[name] ?? name}: ${formatValue(part)}`)
      .join("; ");
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT/.test(text) ? moment(text) : text;
}
