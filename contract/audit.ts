import { z } from "zod";
import { csvLine } from "./csv.ts";
import { endpoint } from "./endpoint.ts";
import { id, time } from "./fields.ts";
import { managers } from "./kinds.ts";

/** Same list as in supabase/schemas/81-audit.sql; a test compares them. */
export const auditGroups = {
  access: ["signed_in"],
  team: [
    ...(["workspace_made", "member_joined", "member_left", "member_removed", "role_changed", "ownership_handed_over"] as const),
    ...(["invitation_made", "invitation_changed", "invitation_revoked"] as const),
  ],
  keys: ["key_made", "key_used", "key_rotated", "key_revoked", "assistant_connected", "assistant_ended"],
  webhooks: ["webhook_made", "webhook_changed", "webhook_on", "webhook_off", "webhook_secret_rotated", "webhook_removed"],
  exports: ["workspace_exported", "subscribers_exported", "audit_exported"],
  settings: [
    "workspace_changed",
    "changelog_opened",
    "changelog_closed",
    "access_changed",
    "mail_changed",
    "widget_changed",
    "appearance_changed",
    "report_recipient_named",
    "report_recipient_removed",
    "domain_added",
    "domain_removed",
    "domain_live",
    "domain_lost",
    "backup_changed",
    "backup_removed",
    "backup_restored",
    "security_changed",
    "email_domain_added",
    "email_domain_proven",
    "email_domain_lost",
    "email_domain_removed",
    "single_sign_on_tested",
    "break_glass_used",
    "factor_reset_requested",
    "factor_reset",
    "review_rule_changed",
    "house_style_changed",
  ],
  posts: [
    "post_published",
    "post_scheduled",
    "post_archived",
    "post_restored",
    "post_purged",
    "posts_imported",
    "import_undone",
    "preview_link_made",
    "preview_link_revoked",
  ],
  reviews: ["review_asked", "review_approved", "review_refused", "proposal_accepted", "proposal_refused"],
} as const;
export type AuditGroup = keyof typeof auditGroups;
export type AuditKind = (typeof auditGroups)[AuditGroup][number];
export const auditKinds = Object.values(auditGroups).flat() as AuditKind[];
const groupNames = Object.keys(auditGroups) as AuditGroup[];

export const auditDays = 400;

/** `key` acts for a person; `system` is the product itself. `name` null: the account was deleted. */
const actor = z.object({
  kind: z.enum(["person", "key", "system"]),
  id: id.nullable(),
  name: z.string().nullable(),
  /** The person an assistant acted for; else null. */
  person: z.object({ id, name: z.string().nullable() }).nullable(),
});
export type AuditActor = z.infer<typeof actor>;

export const auditLine = z.object({
  id: z.int(),
  happened_at: time,
  kind: z.enum(auditKinds),
  actor,
  /** The client's IPv4 /24 or IPv6 /48 as reported by a trusted proxy; null without one. */
  network: z.string().nullable(),
  subject: z.string().nullable(),
  /** Per kind; a change has [before, after] per field. */
  details: z.record(z.string(), z.unknown()),
});
export type AuditLine = z.infer<typeof auditLine>;

/** `kind` is a kind or a group, `actor` an id or "system"; `from` is inclusive, `until` exclusive. */
export const auditFilter = z.object({
  actor: z.union([z.literal("system"), id]).optional(),
  kind: z.enum([...groupNames, ...auditKinds]).optional(),
  from: time.optional(),
  until: time.optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

export const kindsOf = (word: AuditGroup | AuditKind): readonly AuditKind[] =>
  word in auditGroups ? auditGroups[word as AuditGroup] : [word as AuditKind];

export const auditColumns = [
  ...(["time", "what", "actor_kind", "actor", "actor_id", "network", "subject", "details"] as const),
  ...(["person", "person_id"] as const), // appended last: readers of the file may rely on column order
] as const;
export const auditCsvHead = (): string => csvLine(auditColumns);
export const auditCsvLine = ({ happened_at, kind, actor, network, subject, details }: AuditLine): string =>
  csvLine([
    ...[happened_at, kind, actor.kind, actor.name ?? "", actor.id ?? "", network ?? "", subject ?? ""],
    Object.keys(details).length > 0 ? JSON.stringify(details) : "",
    ...[actor.person?.name ?? "", actor.person?.id ?? ""],
  ]);

export const auditEndpoints = {
  list: endpoint("GET /api/workspaces/{workspaceId}/audit", {
    summary: "List audit events, newest first; pass `next` as `before` for the next page",
    access: managers,
    query: auditFilter.extend({ before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional() }),
    response: z.object({
      lines: z.array(auditLine),
      next: z.int().nullable(),
      actors: z.array(actor),
    }),
  }),
  export: endpoint("GET /api/workspaces/{workspaceId}/audit/export", {
    summary: "Export filtered audit events as CSV or JSON Lines; the export itself is logged",
    access: managers,
    limit: "export",
    query: auditFilter.extend({ format: z.enum(["csv", "jsonl"]).default("csv") }),
    download: "text/csv",
    otherDownloads: ["application/jsonl"],
    response: z.string(),
  }),
} as const;
