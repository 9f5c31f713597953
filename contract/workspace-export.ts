import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, time } from "./fields.ts";
import { exportFormat } from "./export-format.ts";

export const exportedObjects = [
  "workspace",
  "reader_access",
  "widget_settings",
  "appearance",
  "mail_settings",
  "house_style",
  "review_rules",
  "backup",
] as const;
export const exportedLists = [
  "members",
  "posts",
  "post_revisions",
  "post_slugs",
  "post_redirects",
  "imports",
  "import_entries",
  "tags",
  "former_tags",
  "templates",
  "comment_threads",
  "comments",
  "reviews",
  "proposals",
  "invites",
  "add_ons",
  "domains",
  "webhooks",
  "upgrade_requests",
  "activities",
  "daily_counts",
  "subscribers",
  "report_recipients",
  "suppressions",
  "files",
] as const;

/** Formats besides JSON; contract/v1/exports.ts has the same for keys. */
export const postForms = ["markdown", "changelog", "feed"] as const;
export type PostForm = (typeof postForms)[number];
const exportForms = ["json", ...postForms] as const;

const rows = z.array(z.looseObject({}));

/** All rows of a workspace as stored; files as paths. Secrets are left out. */
export const workspaceExport = z.looseObject({
  format: z.literal(exportFormat),
  exported_at: time,
  workspace: z.looseObject({ id, name: z.string() }),
  members: rows,
  posts: rows,
  post_revisions: rows,
  post_slugs: rows,
  post_redirects: rows,
  imports: rows,
  import_entries: rows,
  tags: rows,
  former_tags: rows,
  templates: rows,
  comment_threads: rows,
  comments: rows,
  reviews: rows,
  proposals: rows,
  invites: rows,
  reader_access: z.looseObject({}),
  widget_settings: z.looseObject({}),
  appearance: z.looseObject({}),
  mail_settings: z.looseObject({}),
  house_style: z.looseObject({}),
  review_rules: z.looseObject({}),
  backup: z.looseObject({}),
  add_ons: rows,
  domains: rows,
  webhooks: rows,
  upgrade_requests: rows,
  activities: rows,
  daily_counts: rows,
  subscribers: rows,
  report_recipients: rows,
  suppressions: rows,
  files: z.array(z.object({ bucket: z.string(), path: z.string() })),
});

export const exportEndpoints = {
  workspace: endpoint("GET /api/workspaces/{workspaceId}/export", {
    summary:
      "Export everything in a workspace as one JSON file; with format only its posts: a zip of Markdown and images, or the public ones as CHANGELOG.md or JSON Feed",
    access: ["owner"],
    limit: "export",
    query: z.object({ format: z.enum(exportForms, { error: "Please choose json, markdown, changelog or feed" }).default("json") }),
    download: "application/json",
    otherDownloads: ["application/zip", "text/markdown", "application/feed+json"],
    response: workspaceExport,
  }),
} as const;
