import { z } from "zod";
import { markdownMaxLength } from "../blocks/limits.ts";
import { endpoint } from "../endpoint.ts";
import { id, time } from "../fields.ts";
import { postStatuses } from "../kinds.ts";
import { externalIdMaxLength, tagMaxLength } from "../limits.ts";
import { content, postSlug, summary, tags, title } from "../posts.ts";
import { idParams, nextCursor, piece } from "./fields.ts";
import { figure } from "../rules/figure.ts";

/** What a machine outside calls a post: the tag of a release, the number of a ticket. Source: docs/api.md, "Publish a release". */
export const externalId = z
  .string()
  .max(externalIdMaxLength, { error: `Please use at most ${externalIdMaxLength} characters` })
  // oxlint-disable-next-line no-control-regex -- nobody sees them, and Postgres keeps no NUL
  .regex(/^[^\s\u0000-\u001f\u007f](?:[^\u0000-\u001f\u007f]*[^\s\u0000-\u001f\u007f])?$/u, {
    error: "Please use visible characters, with no blank at either end",
  });

/** A post as lists show it. `url`: where readers find it; null while they do not. `external_id`: null for a post that people made. */
const listedPost = z.object({
  id,
  external_id: z.string().nullable(),
  title: z.string(),
  slug: z.string(),
  url: z.string().nullable(),
  status: z.enum(postStatuses),
  tags: z.array(z.string()),
  /** In the writers' words; null: none. */
  summary: z.string().nullable(),
  /** The summary, else the beginning of the text. */
  excerpt: z.string(),
  /** Whom readers are told. */
  author: z.string().nullable(),
  publish_at: time.nullable(),
  published_at: time.nullable(),
  created_at: time,
  updated_at: time,
  archived_at: time.nullable(),
  version: z.int(),
});
export type V1ListedPost = z.infer<typeof listedPost>;

/** A post with its content, twice: as Markdown, and as the editor's blocks (docs/api.md, "Blocks"). */
const post = listedPost.extend({
  markdown: z.string(),
  blocks: z.array(z.object({ id: z.string().optional(), type: z.string(), data: z.unknown().meta({ type: "object" }) })),
});
export type V1Post = z.infer<typeof post>;

const status = z.enum(["draft", "scheduled", "published"], { error: "Please use draft, scheduled or published" });
const markdown = z
  .string({ error: "Please send text" })
  .max(markdownMaxLength, { error: `The Markdown can have at most ${figure(markdownMaxLength)} characters` });

/** All that can be said about a post. Tags are keys, or names of which keys are made. */
const fields = {
  title,
  markdown: markdown.optional(),
  blocks: content.optional(),
  tags: tags.optional(),
  summary,
  slug: postSlug.optional(),
  status: status.optional(),
  publish_at: time.nullish(),
  /** When it was news first: a moment in the past, of a published post. */
  published_at: time.optional(),
  /** Whether readers are told by mail once it is published; absent: yes. */
  notify: z.boolean().optional(),
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
/** The app takes the one for the other; what a machine says twice, and differently, is a mistake. */
const timeFitsStatus = {
  check: ({ status, publish_at }: Sent) => !publish_at || status === undefined || status === "scheduled",
  complaint: { path: ["publish_at"], error: "Only a scheduled post has a time to come" },
};

const wholePost = z
  .strictObject(fields)
  .refine(onlyOne.check, onlyOne.complaint)
  .refine(hasContent.check, hasContent.complaint)
  .refine(timeFitsStatus.check, timeFitsStatus.complaint);

const somePost = z
  .strictObject({ ...fields, title: title.optional() })
  .refine(onlyOne.check, onlyOne.complaint)
  .refine(timeFitsStatus.check, timeFitsStatus.complaint);

const told = z.strictObject({ notify: z.boolean().optional() }).optional();
const answer = z.object({ post });

const locked = ["published_post_locked", "archived_post_locked"] as const;
const stale = ["version_conflict", "invalid_precondition"] as const;

const example = {
  title: "Faster search",
  markdown: "Search answers **twice as fast**.\n\n- Accents and case do not matter\n- Results while you type",
  tags: ["improvement"],
};

export const v1PostEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/posts",
    summary: "Posts, last edited first; with updated_since those edited since then, the earliest first and archived ones too",
    access: { scope: "posts:read" },
    query: z.strictObject({
      ...piece,
      status: z.enum(["all", ...postStatuses], { error: "Please use all, draft, scheduled, published or archived" }).default("all"),
      /** A tag's key. */
      tag: z.string().trim().min(1).max(tagMaxLength).optional(),
      updated_since: time.optional(),
    }),
    status: 200,
    response: z.object({ posts: z.array(listedPost), next_cursor: nextCursor }),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/posts",
    summary: "Make a post: a draft unless status says otherwise",
    access: { scope: "posts:write" },
    idempotent: true,
    carriesContent: true,
    body: wholePost,
    example,
    status: 201,
    response: answer,
    errors: ["slug_taken", "review_required"],
  }),
  put: endpoint({
    method: "PUT",
    path: "/api/v1/posts/by-external-id/{externalId}",
    summary:
      "Make the post of that name, with a title and content, or change it; absent fields stay. The same again changes nothing. 201 when it is new",
    access: { scope: "posts:write" },
    carriesContent: true,
    conditional: "write",
    params: z.object({ externalId: z.string() }),
    body: somePost, // what a new one lacks the database says: whether there is one it knows at that moment
    example: { ...example, status: "published" },
    status: 200,
    alsoCreates: true,
    response: answer,
    errors: [...locked, ...stale, "slug_taken", "review_required"],
  }),
  read: endpoint({
    method: "GET",
    path: "/api/v1/posts/{id}",
    summary: "A post with its content; as a Markdown file with Accept: text/markdown",
    access: { scope: "posts:read" },
    conditional: "read",
    alsoAs: "text/markdown",
    params: idParams,
    status: 200,
    response: answer,
  }),
  readByExternalId: endpoint({
    method: "GET",
    path: "/api/v1/posts/by-external-id/{externalId}",
    summary: "The post of that name, as by its id",
    access: { scope: "posts:read" },
    conditional: "read",
    alsoAs: "text/markdown",
    params: z.object({ externalId: z.string() }),
    status: 200,
    response: answer,
  }),
  change: endpoint({
    method: "PATCH",
    path: "/api/v1/posts/{id}",
    summary: "Change a post; absent fields stay",
    access: { scope: "posts:write" },
    idempotent: true,
    carriesContent: true,
    conditional: "write",
    params: idParams,
    body: somePost,
    example: { summary: "Results while you type." },
    status: 200,
    response: answer,
    errors: [...locked, ...stale, "slug_taken", "review_required"],
  }),
  publish: endpoint({
    method: "POST",
    path: "/api/v1/posts/{id}/publish",
    summary: "Publish a post now; one that is published stays as it is",
    access: { scope: "posts:publish" },
    idempotent: true,
    conditional: "write",
    params: idParams,
    body: told,
    example: { notify: true },
    status: 200,
    response: answer,
    errors: ["archived_post_locked", ...stale, "review_required"],
  }),
  schedule: endpoint({
    method: "POST",
    path: "/api/v1/posts/{id}/schedule",
    summary: "Publish a post at a time to come",
    access: { scope: "posts:publish" },
    idempotent: true,
    conditional: "write",
    params: idParams,
    body: z.strictObject({
      publish_at: time,
      notify: z.boolean().optional(),
    }),
    example: { publish_at: "2030-01-31T09:00:00Z" },
    status: 200,
    response: answer,
    errors: [...locked, ...stale, "review_required"],
  }),
  archive: endpoint({
    method: "POST",
    path: "/api/v1/posts/{id}/archive",
    summary: "Take a post off the page and out of every list; one that readers see needs posts:publish as well",
    access: { scope: "posts:write" },
    idempotent: true,
    conditional: "write",
    params: idParams,
    status: 200,
    response: answer,
    errors: [...stale],
  }),
} as const;
