import { z } from "zod";
import { markdownMaxLength } from "../blocks/limits.ts";
import { detailFields, pinEndsFirst, postDetails } from "../details.ts";
import { endpoint } from "../endpoint.ts";
import { id, success, time } from "../fields.ts";
import { postStatuses } from "../kinds.ts";
import { externalIdMaxLength, tagMaxLength } from "../limits.ts";
import { block, content, linkRequestsInput, postSlug, summary, tags, title } from "../posts.ts";
import { nextCursor, piece, total, withTotal } from "./fields.ts";
import { figure } from "../rules/figure.ts";

/** The caller's own id for a post, e.g. a release tag or a ticket. Source: docs/api.md, "From a machine". */
export const externalId = z
  .string()
  .max(externalIdMaxLength, { error: `Please use at most ${externalIdMaxLength} characters` })
  // oxlint-disable-next-line no-control-regex -- nobody sees them, and Postgres keeps no NUL
  .regex(/^[^\s\u0000-\u001f\u007f](?:[^\u0000-\u001f\u007f]*[^\s\u0000-\u001f\u007f])?$/u, {
    error: "Please use visible characters, without spaces at either end",
  });

const { version: productVersion, ...otherDetails } = detailFields;
const shownDetails = postDetails.omit({ version: true });

/** `url`: public URL; null while not public. `external_id` null: created in the app. */
export const listedPost = z.object({
  id,
  external_id: z.string().nullable(),
  title: z.string(),
  slug: z.string(),
  url: z.string().nullable(),
  status: z.enum(postStatuses),
  tags: z.array(z.string()),
  summary: z.string().nullable(),
  excerpt: z.string(),
  author: z.string().nullable(),
  publish_at: time.nullable(),
  published_at: time.nullable(),
  created_at: time,
  updated_at: time,
  archived_at: time.nullable(),
  version: z.int(),
  requests: z.array(z.string()),
  ...shownDetails.shape,
  product_version: z.string().nullable(),
});
export type V1ListedPost = z.infer<typeof listedPost>;

export const post = listedPost.extend({
  markdown: z.string(),
  blocks: z.array(block),
});
export type V1Post = z.infer<typeof post>;

const status = z.enum(["draft", "scheduled", "published"], { error: "Please use draft, scheduled or published" });
const markdown = z
  .string({ error: "Please send text" })
  .max(markdownMaxLength, { error: `The Markdown can have at most ${figure(markdownMaxLength)} characters` });

/** Tags are keys, or names that keys are derived from. */
const fields = {
  title,
  markdown: markdown.optional(),
  blocks: content.optional(),
  tags: tags.optional(),
  summary,
  slug: postSlug.optional(),
  status: status.optional(),
  publish_at: time.nullish(),
  /** In the past; published posts only. */
  published_at: time.optional(),
  notify: z.boolean().optional(),
  ...otherDetails,
  /** `version` counts the post's own versions. */
  product_version: productVersion,
};

interface Sent {
  markdown?: unknown;
  blocks?: unknown;
  status?: string;
  publish_at?: string | null;
}

const onlyOne = {
  check: ({ markdown, blocks }: Sent) => markdown === undefined || blocks === undefined,
  complaint: { path: ["markdown"], error: "Please send markdown or blocks, not both" },
};
const hasContent = {
  check: ({ markdown, blocks }: Sent) => markdown !== undefined || blocks !== undefined,
  complaint: { path: ["markdown"], error: "Content is required" },
};
const timeFitsStatus = {
  check: ({ status, publish_at }: Sent) => !publish_at || status === undefined || status === "scheduled",
  complaint: { path: ["publish_at"], error: "Only a scheduled post can have publish_at" },
};

export const newPost = z
  .strictObject(fields)
  .refine(onlyOne.check, onlyOne.complaint)
  .refine(hasContent.check, hasContent.complaint)
  .refine(timeFitsStatus.check, timeFitsStatus.complaint)
  .refine(pinEndsFirst.check, pinEndsFirst.complaint);

export const changedPost = z
  .strictObject({ ...fields, title: title.optional() })
  .refine(onlyOne.check, onlyOne.complaint)
  .refine(timeFitsStatus.check, timeFitsStatus.complaint)
  .refine(pinEndsFirst.check, pinEndsFirst.complaint);

const publishBody = z.strictObject({ notify: z.boolean().optional() }).optional();
const answer = z.object({ post });

const locked = ["published_post_locked", "archived_post_locked"] as const;
const stale = ["version_conflict", "invalid_precondition"] as const;

const example = {
  title: "Faster search",
  markdown: "Search answers **twice as fast**.\n\n- Accents and case don't matter\n- Results while you type",
  tags: ["improvement"],
};

export const v1PostEndpoints = {
  list: endpoint("GET /api/v1/posts", {
    summary: "List posts",
    details: "Last edited first; with `updated_since` oldest first, archived ones included.",
    access: { scope: "posts:read" },
    query: z.strictObject({
      ...piece,
      ...withTotal,
      status: z.enum(["all", ...postStatuses], { error: "Please use all, draft, scheduled, published or archived" }).default("all"),
      tag: z.string().trim().min(1).max(tagMaxLength).optional(),
      updated_since: time.optional(),
    }),
    response: z.object({ posts: z.array(listedPost), next_cursor: nextCursor, total }),
  }),
  create: endpoint("POST /api/v1/posts", {
    summary: "Create a post",
    details: "A draft unless `status` is set.",
    access: { scope: "posts:write" },
    idempotent: true,
    carriesContent: true,
    body: newPost,
    example,
    status: 201,
    response: answer,
    errors: ["slug_taken", "review_required"],
  }),
  put: endpoint("PUT /api/v1/posts/by-external-id/{externalId}", {
    summary: "Create or update a post by its external id",
    details: "Absent fields stay; repeating the call changes nothing. 201 if created.",
    access: { scope: "posts:write" },
    carriesContent: true,
    conditional: "write",
    params: z.object({ externalId: z.string() }),
    body: changedPost, // the database validates required fields, as only it knows if the post exists
    example: { ...example, status: "published" },
    alsoCreates: true,
    response: answer,
    errors: [...locked, ...stale, "slug_taken", "review_required"],
  }),
  read: endpoint("GET /api/v1/posts/{id}", {
    summary: "Read a post",
    details: "As a Markdown file with `Accept: text/markdown`.",
    access: { scope: "posts:read" },
    conditional: "read",
    alsoAs: "text/markdown",
    response: answer,
  }),
  readByExternalId: endpoint("GET /api/v1/posts/by-external-id/{externalId}", {
    summary: "Read a post by its external id",
    access: { scope: "posts:read" },
    conditional: "read",
    alsoAs: "text/markdown",
    params: z.object({ externalId: z.string() }),
    response: answer,
  }),
  change: endpoint("PATCH /api/v1/posts/{id}", {
    summary: "Update a post",
    details: "Absent fields stay.",
    access: { scope: "posts:write" },
    idempotent: true,
    carriesContent: true,
    conditional: "write",
    body: changedPost,
    example: { summary: "Results while you type." },
    response: answer,
    errors: [...locked, ...stale, "slug_taken", "review_required"],
  }),
  publish: endpoint("POST /api/v1/posts/{id}/publish", {
    summary: "Publish a post now",
    details: "No effect if published.",
    access: { scope: "posts:publish" },
    idempotent: true,
    conditional: "write",
    body: publishBody,
    example: { notify: true },
    response: answer,
    errors: ["archived_post_locked", ...stale, "review_required"],
  }),
  schedule: endpoint("POST /api/v1/posts/{id}/schedule", {
    summary: "Schedule a post",
    access: { scope: "posts:publish" },
    idempotent: true,
    conditional: "write",
    body: z.strictObject({
      publish_at: time,
      notify: z.boolean().optional(),
    }),
    example: { publish_at: "2030-01-31T09:00:00Z" },
    response: answer,
    errors: [...locked, ...stale, "review_required"],
  }),
  archive: endpoint("POST /api/v1/posts/{id}/archive", {
    summary: "Archive a post",
    details: "Removes it from the public page and all lists; a public one also needs `posts:publish`.",
    access: { scope: "posts:write" },
    idempotent: true,
    conditional: "write",
    response: answer,
    errors: [...stale],
  }),
  linkRequests: endpoint("POST /api/v1/posts/{id}/requests", {
    summary: "Link requests to a post",
    details:
      "Issues in Linear, Jira or GitHub, and pull requests. Readers don't see them, and the version stays. A public or scheduled post also needs `posts:publish`.",
    access: { scope: "posts:write" },
    body: linkRequestsInput,
    example: { add: ["https://github.com/acme/app/issues/12"] },
    response: answer,
  }),
  remove: endpoint("DELETE /api/v1/posts/{id}", {
    summary: "Permanently delete a draft",
    details: "With its versions and comments. Other posts can be archived.",
    access: { scope: "posts:write" },
    response: success,
  }),
} as const;
