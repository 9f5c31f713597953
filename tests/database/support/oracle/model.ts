import type { Role } from "#contract/kinds.ts";

/** Permissions written from the specification (section 6) and product-decisions.md alone, without SQL or the policies. */
export interface Standing {
  id: string | null;
  roles: Record<string, Role>;
}

/** The state of the token's session. An ended session, another user's, or one that hasn't given its second factor has no rights. */
export type SessionState = "live" | "ended" | "another person's" | "without its code";

export interface Row {
  workspace: string | null;
  where: string;
  id?: string;
  name?: string;
  person?: string;
  isOwnerRow?: boolean;
  bucket?: "post-images" | "logos" | "avatars";
  isDraft?: boolean;
  isLive?: boolean;
  analytics?: boolean;
  isCountry?: boolean;
  post?: string;
  thread?: string;
  forAdmin?: boolean;
}

export type Rule = (who: Standing, row: Row) => boolean;

const any: Role[] = ["owner", "admin", "editor", "viewer"];
const writing: Role[] = ["owner", "admin", "editor"];
const managing: Role[] = ["owner", "admin"];
const inRoles =
  (roles: Role[]): Rule =>
  (who, row) =>
    row.workspace !== null && who.roles[row.workspace] !== undefined && roles.includes(who.roles[row.workspace]!);
const unlessSuspended =
  (rule: Rule): Rule =>
  (who, row) =>
    rule(who, row) && !suspended.has(row.workspace ?? "");
export const members = inRoles(any);
// A suspended workspace can be read, exported and left, but not changed.
const writersRead = inRoles(writing);
const managersRead = inRoles(managing);
const ownerReads = inRoles(["owner"]);
const writers = unlessSuspended(writersRead);
const managers = unlessSuspended(managersRead);
const owner = unlessSuspended(ownerReads);
const oneself: Rule = (who, row) => who.id !== null && row.person === who.id;
const nobody: Rule = () => false;

const withAnalytics: Rule = (who, row) => members(who, row) && row.analytics === true;

export interface TableRules {
  read: Rule;
  hidden?: string[];
  add: Rule;
  given?: string[];
  write: Record<string, Rule>;
  remove: Rule;
}

/** Files are added and removed by those who can edit what they belong to. */
const keeper: Rule = (who, row) =>
  row.bucket === "avatars" ? oneself(who, row) : row.bucket === "logos" ? managers(who, row) : writers(who, row);

export const tables: Record<string, TableRules> = {
  "public.profiles": {
    // Oneself and members of shared workspaces.
    read: (who, row) => oneself(who, row) || (who.id !== null && sharesWorkspace(who, row.person!)),
    add: nobody,
    write: { full_name: oneself, job_title: oneself, company_name: oneself, avatar_url: oneself },
    remove: nobody,
  },
  "public.workspaces": {
    read: members,
    add: nobody,
    write: { name: managers, origin: managers, allowed_origins: managers, logo_url: managers, public_changelog_enabled: owner },
    remove: nobody,
  },
  "public.members": {
    read: members,
    add: nobody,
    write: {},
    // The owner removes others; everyone but the owner can leave.
    remove: (who, row) => !row.isOwnerRow && (ownerReads(who, row) || (oneself(who, row) && members(who, row))),
  },
  "public.posts": {
    read: members,
    add: writers,
    given: [
      "workspace_id",
      "title",
      "content_raw",
      "tags",
      "publish_at",
      "status",
      "summary",
      "cover_image",
      "details",
      "published_at",
      "author_id",
      "external_id",
    ],
    write: {
      ...{ title: writers, content_raw: writers, tags: writers, publish_at: writers, status: writers, slug: writers, summary: writers },
      ...{ cover_image: writers, details: writers, published_at: writers, author_id: writers, requests: writers },
    },
    remove: writers,
  },
  "public.post_summaries": { read: members, add: nobody, write: {}, remove: nobody },
  "public.post_details": { read: members, add: nobody, write: {}, remove: nobody },
  "public.post_revisions": { read: members, add: nobody, write: {}, remove: nobody },
  "public.post_slugs": { read: members, add: nobody, write: {}, remove: nobody },
  "public.post_redirects": { read: members, add: nobody, write: {}, remove: nobody },
  "public.imports": { read: managersRead, add: nobody, write: {}, remove: nobody },
  "public.activities": { read: members, add: nobody, write: {}, remove: nobody },
  "public.tags": {
    read: members,
    add: writers,
    given: ["workspace_id", "label", "colour"],
    write: {},
    remove: nobody,
  },
  "public.templates": { read: members, add: nobody, write: {}, remove: nobody },
  "public.house_styles": { read: members, add: nobody, write: {}, remove: nobody },
  "public.invites": { read: managersRead, hidden: ["token_hash"], add: nobody, write: {}, remove: nobody },
  "public.widget_settings": {
    read: members,
    add: managers,
    given: ["workspace_id", "settings"],
    write: { settings: managers },
    remove: nobody,
  },
  "public.appearances": {
    read: members,
    add: managers,
    given: ["workspace_id", "settings", "logo_dark_url", "favicon_url"],
    write: { settings: managers, logo_dark_url: managers, favicon_url: managers },
    remove: nobody,
  },
  "public.subscribers": { read: managersRead, add: nobody, write: {}, remove: nobody },
  "public.mail_settings": { read: members, add: nobody, write: {}, remove: nobody },
  "public.workspace_add_ons": { read: members, add: nobody, write: {}, remove: nobody },
  "public.domains": { read: members, add: nobody, write: {}, remove: nobody },
  "public.upgrade_requests": { read: members, add: nobody, write: {}, remove: nobody },
  "public.daily_counts": { read: (who, row) => withAnalytics(who, row) && row.isCountry !== true, add: nobody, write: {}, remove: nobody },
  "storage.objects": {
    read: (who, row) => (row.bucket === "avatars" ? oneself(who, row) : members(who, row)),
    add: keeper,
    write: {},
    remove: keeper,
  },
};

export const calls: Record<string, Rule> = {
  read_post: members,
  list_posts: members,
  find_posts: members,
  posts_of: members,
  search_posts: members,
  review_standing: members,
  dashboard: members,
  list_tags: members,
  analytics: withAnalytics,
  post_analytics: withAnalytics,
  create_post: writers,
  save_post: writers,
  autosave_new_post: writers,
  autosave_post: (who, row) => writers(who, row) && row.isDraft === true,
  archive_post: writers,
  purge_post: writers,
  restore_revision: writers,
  create_tag: writers,
  change_tag: writers,
  merge_tags: writers,
  delete_tag: writers,
  settle_tags: writers,
  undo_archive: writers,
  duplicate_post: writers,
  read_template: members,
  create_template: writers,
  change_template: writers,
  delete_template: writers,
  save_house_style: managers,
  release_notes_context: members,
  post_threads: members,
  begin_thread: writers,
  add_comment: writers,
  settle_thread: writers,
  change_comment: owner,
  remove_comment: managers,
  upcoming_posts: members,
  posts_after: members,
  post_named: members,
  post_versions: members,
  post_version: members,
  delete_draft: (who, row) => writers(who, row) && row.isDraft === true,
  put_post: writers,
  link_requests: writers,
  workspace_address: members,
  search_public: members,
  workspace_stats: members,
  subscribers_after: managersRead,
  save_widget_settings: managers,
  save_appearance: managers,
  save_mail_settings: managers,
  subscriber_numbers: members,
  mail_audience: members,
  list_subscribers: managersRead,
  add_subscriber: managers,
  import_subscribers: managers,
  remove_subscriber: managersRead,
  reader_unseen: managersRead,
  erase_reader: managersRead,
  list_domains: members,
  add_domain: managers,
  remove_domain: managers,
  look_at_domain: managers,
  domain_to_check: nobody,
  read_backup: ownerReads,
  require_backup: owner,
  save_backup: owner,
  remove_backup: owner,
  run_backup: owner,
  begin_restore: owner,
  backup_to_make: nobody,
  keep_backup: nobody,
  backup_rows: nobody,
  end_backup: nobody,
  backup_settings: nobody,
  restore_rows: nobody,
  restore_objects: nobody,
  finish_restore: nobody,
  drop_restore: nobody,
  settle_domain: nobody,
  work_jobs: nobody,
  list_assistants: members,
  list_api_keys: managersRead,
  create_api_key: managers,
  review_rule: members,
  set_review_rule: owner,
  read_workspace_security: managersRead,
  set_workspace_security: owner,
  read_workspace_access: managersRead,
  set_workspace_access: managers,
  my_reader_key: members,
  waiting_for_me: members,
  list_webhooks: managersRead,
  create_webhook: managers,
  change_webhook: managers,
  remove_webhook: managers,
  rotate_webhook: managers,
  webhook_deliveries: managersRead,
  ping_webhook: managers,
  resend_delivery: managers,
  resend_failed: managers,
  webhook_to_send: nobody,
  settle_webhook: nobody,
  og_image_to_draw: nobody,
  settle_og_image: nobody,
  workspace_reports: managersRead,
  add_report_recipient: managers,
  remove_report_recipient: managers,
  set_my_report: managers,
  report_numbers: nobody,
  report_link: nobody,
  change_report: nobody,
  begin_import: managers,
  list_imports: managersRead,
  read_import: managersRead,
  write_entries: managers,
  undo_import: managers,
  compare_entries: managers,
  kept_import_image: managers,
  keep_import_image: managers,
  list_audit: managersRead,
  export_audit: managersRead,
  team_members: writersRead,
  revoke_invite: managers,
  invite_admin: owner,
  invite_viewer: managers,
  create_invites: managers,
  invite_becomes_admin: owner,
  invite_becomes_viewer: (who, row) => owner(who, row) || (managers(who, row) && row.forAdmin !== true),
  set_public_changelog: owner,
  change_subdomain: owner,
  change_workspace: managers,
  request_upgrade: owner,
  export_posts: ownerReads,
  export_rows: ownerReads,
  delete_workspace: ownerReads,
  set_member_role: (who, row) => owner(who, row) && !row.isOwnerRow,
  remove_member: (who, row) => ownerReads(who, row) && !row.isOwnerRow,
  hand_over_ownership: owner,
  leave_workspace: (who, row) => members(who, row) && !ownerReads(who, row),
};

let memberships: Record<string, Record<string, Role>> = {};
let suspended = new Set<string>();
export function knowWorkspaces(all: Record<string, Record<string, Role>>, suspendedOnes: string[]): void {
  memberships = all;
  suspended = new Set(suspendedOnes);
}
function sharesWorkspace(who: Standing, other: string): boolean {
  return Object.keys(who.roles).some((workspace) => memberships[other]?.[workspace] !== undefined);
}
