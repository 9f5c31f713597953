import { z } from "zod";
import { boundsProblem } from "./blocks/bounds.ts";
import { threads } from "./comments.ts";
import { coverImage } from "./covers.ts";
import { detailsInput, postDetails } from "./details.ts";
import { blockLimits } from "./blocks/limits.ts";
import { endpoint } from "./endpoint.ts";
import { id, time, webAddress } from "./fields.ts";
import { jsonBodyMaxBytes } from "./body-limits.ts";
import { postStatuses, roles, writers } from "./kinds.ts";
import {
  fullNameMaxLength,
  postListLimit,
  postListMaxLimit,
  postListPage,
  requestMaxLength,
  requestsPerPost,
  searchLimit,
  searchMaxLimit,
  searchTermMaxLength,
  summaryMaxLength,
  tagMaxLength,
  tagsPerPost,
  titleMaxLength,
} from "./limits.ts";
import { requestKind } from "./rules/request-kind.ts";
import { postSorts } from "./rules/search-tokens.ts";
import { slugMaxLength } from "./rules/slug.ts";

const anyTitle = z
  .string({ error: "Title is required" })
  .trim()
  .max(titleMaxLength, { error: `The title can have at most ${titleMaxLength} characters` });
/** Required to save at all. Source: specification, section 5. */
export const title = anyTitle.min(1, { error: "Title is required" });

/** Autosaved drafts can lack a title. */
const needsTitle = {
  check: ({ title, autosave }: { title?: string; autosave?: boolean }) => title !== "" || autosave === true,
  complaint: { path: ["title"], error: "Title is required" },
};
/** Autosave: drafts only, can lack a title or text. A person's consecutive ones are one version. Source: product decision 23. */
const autosave = z.boolean().optional();

export const tag = z
  .string()
  .trim()
  .min(1, { error: "A tag needs a name" })
  .max(tagMaxLength, { error: `A tag can have at most ${tagMaxLength} characters` });
export const tags = z
  .array(tag)
  .max(tagsPerPost, { error: `A post can have at most ${tagsPerPost} tags` })
  .transform((list) => [...new Set(list)]);

/** `problem`: an error message if the image couldn't be copied. */
export const copiedImage = z.union([
  z.object({ url: z.string(), width: z.int(), height: z.int(), problem: z.null() }),
  z.object({ url: z.null(), problem: z.string() }),
]);

/** Replaces the excerpt; null or blank: none. */
export const summary = z
  .string()
  .trim()
  .max(summaryMaxLength, { error: `The summary can have at most ${summaryMaxLength} characters` })
  .nullish();

/** An issue or pull request that the post answers. For the team and its programs; readers don't see it. */
export const request = z
  .string()
  .trim()
  .max(requestMaxLength, { error: "This URL is too long" })
  .transform((typed) => (URL.canParse(typed) ? new URL(typed).href : typed))
  .refine((url) => requestKind(url) !== null, { error: "Enter the URL of an issue in Linear, Jira or GitHub, or of a pull request" });
export const requestList = z.array(request).max(requestsPerPost, { error: `A post can have at most ${requestsPerPost} requests` });

/** Merged with a colleague's; repeating it changes nothing. */
export const linkRequestsInput = z.strictObject({
  add: requestList.default([]),
  remove: z.array(z.string()).max(requestsPerPost).default([]),
});

export const postSummary = z.object({
  id,
  workspace_id: id,
  title: z.string(),
  slug: z.string(),
  excerpt: z.string(),
  summary: z.string().nullable(),
  status: z.enum(postStatuses),
  tags: z.array(z.string()),
  publish_at: time.nullable(),
  published_at: time.nullable(),
  created_at: time,
  updated_at: time,
  archived_at: time.nullable(),
  created_by: id.nullable(),
  created_by_name: z.string().nullable(),
  author_name: z.string().nullable(),
  version: z.int(),
});
export type PostSummary = z.infer<typeof postSummary>;

/** A post's versioned content (rules/post-content.ts) as stored. */
export const storedContent = z.object({
  title: z.string(),
  summary: z.string().nullable(),
  tags: z.array(z.string()),
  cover_image: coverImage,
  details: postDetails,
  content_raw: z.string(),
  content_md: z.string(),
});

export const post = postSummary.extend({
  ...storedContent.shape,
  /** Author shown to readers; defaults to the creator. */
  author_id: id.nullable(),
  author: z.object({ user_id: id, full_name: z.string(), avatar_url: z.string().nullable() }).nullable(),
  public_changelog_enabled: z.boolean(),
  updated_by_name: z.string().nullable(),
  requests: z.array(z.string()),
});
export type Post = z.infer<typeof post>;

/** Details are left to cleaning: validating every value would be slow, see ./blocks/bounds.ts. */
export const block = z.object({ id: z.string().optional(), type: z.string(), data: z.unknown().meta({ type: "object" }) });
const blocks = z.array(block).max(blockLimits.blocks);
const editorOutput = z.object({ time: z.number().optional(), blocks, version: z.string().optional() });
/** Publication date shown; in the past, default now. */
const publishedAt = time.optional();
/** Member shown as the author; null: the creator. */
const authorId = id.nullish();
export const content = z.union([editorOutput, blocks], { error: ({ input }) => boundsProblem(input) ?? "Content is required" });
const savedStatus = z.enum(["draft", "scheduled", "published"]);

/** Fields that may be left out on every write. */
export const optionalFields = { summary, tags: tags.optional(), cover_image: coverImage.optional(), details: detailsInput.optional() };

const slugSentence = `Please use letters, digits and single hyphens, ${slugMaxLength} at most`;

/** Last segment of a post's public URL. Source: product decision 5. */
export const postSlug = z
  .string({ error: slugSentence })
  .trim()
  .toLowerCase()
  .max(slugMaxLength, { error: slugSentence })
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: slugSentence });

/** Chosen when publishing or scheduling. */
const publication = {
  /** Public URL; previous ones redirect. Absent: from the title until the first publication. Taken: 409 slug_taken. */
  slug: postSlug.optional(),
  /** Email subscribers on publication; absent: as scheduled, else true. Drafts reset it. */
  notify: z.boolean().optional(),
  /** Owners only: makes the changelog public in the same transaction. */
  public_changelog_enabled: z.literal(true).optional(),
};
export type Publication = z.input<z.ZodObject<typeof publication>>;

export const createPostInput = z
  .object({
    title: anyTitle,
    ...optionalFields,
    blocks: content,
    html: z.string().optional(),
    publish_at: time.nullish(),
    workspace_id: id,
    status: savedStatus.optional(),
    published_at: publishedAt,
    author_id: authorId,
    ...publication,
    autosave,
  })
  .refine(needsTitle.check, needsTitle.complaint);
export type CreatePostInput = z.input<typeof createPostInput>;

export const updatePostInput = z
  .object({
    title: anyTitle.optional(),
    ...optionalFields,
    content_raw: z.string().max(jsonBodyMaxBytes).optional(),
    content_md: z.string().optional(),
    publish_at: time.nullish(),
    status: savedStatus.optional(),
    /** Ignored; posts stay in their workspace. Source: specification, section 7. */
    workspace_id: id.optional(),
    published_at: publishedAt,
    author_id: authorId,
    ...publication,
    /** Version of the caller's copy; absent for 'Save anyway' only. Stale: 409 version_conflict. */
    version: z.int().positive().optional(),
    autosave,
  })
  .refine(needsTitle.check, needsTitle.complaint);
export type UpdatePostInput = z.input<typeof updatePostInput>;

export const author = z.object({ user_id: id, full_name: z.string(), avatar_url: z.string().nullable(), role: z.enum(roles) });
export type Author = z.infer<typeof author>;

const flag = z.union([z.boolean(), z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1")]);
const count = (fallback: number, max: number) => z.coerce.number().int().min(1).max(max).default(fallback);

/** `views`: last 30 days, null without the analytics add-on; only in lists with `q`, `owner` or `sort`. Source: product decision 8. */
export const listedPost = postSummary.extend({ views: z.int().nullable().optional() });
export type ListedPost = z.infer<typeof listedPost>;

export const postList = z.object({
  posts: z.array(listedPost),
  pagination: z.object({ page: z.int(), pages: z.int(), total: z.int() }),
});
export type PostList = z.infer<typeof postList>;

export const postEndpoints = {
  create: endpoint("POST /api/posts", {
    summary: "Create a post: draft, scheduled when publish_at is set, or published at once",
    access: writers,
    idempotent: true,
    carriesContent: true,
    body: createPostInput,
    status: 201,
    response: z.object({ post }),
    errors: ["slug_taken", "review_required"],
  }),
  update: endpoint("PUT /api/posts/{id}", {
    summary: "Save a post; absent fields stay",
    access: writers,
    idempotent: true,
    carriesContent: true,
    body: updatePostInput,
    response: z.object({ post }),
    errors: ["version_conflict", "published_post_locked", "archived_post_locked", "slug_taken", "review_required"],
  }),
  read: endpoint("GET /api/posts/{id}", {
    summary: "Read a post with its content; threads=true includes comments",
    access: roles,
    query: z.object({ threads: flag.optional() }),
    response: z.object({ post, threads: threads.optional() }),
  }),
  remove: endpoint("DELETE /api/posts/{id}", {
    summary: "Archive a post, or delete it permanently with purge",
    access: writers,
    query: z.object({ purge: flag.optional() }),
    body: z.object({ purge: flag.optional() }).optional(),
    response: z.object({ success: z.literal(true), post: postSummary.nullable() }),
  }),
  restore: endpoint("POST /api/posts/{id}/restore", {
    summary: "Restore an archived post as a draft; given the version from archiving, to its former status within 15 minutes",
    access: writers,
    body: z.object({ version: z.int().positive().optional() }).optional(),
    response: z.object({ post }),
    errors: ["version_conflict"],
  }),
  linkRequests: endpoint("POST /api/posts/{id}/requests", {
    summary: "Link requests of Linear, Jira and GitHub to a post, or remove links; makes no version",
    access: writers,
    body: linkRequestsInput,
    response: z.object({ requests: z.array(z.string()) }),
  }),
  version: endpoint("GET /api/posts/{id}/version", {
    summary: "Check if a version is current",
    access: roles,
    query: z.object({ version: z.coerce.number().int() }),
    response: z.object({ isCurrent: z.boolean() }),
  }),
  list: endpoint("GET /api/workspaces/{workspaceId}/posts", {
    summary: "List a workspace's posts, filtered by title and creator, by views or last edited first; archived ones only on request",
    access: roles,
    query: z.object({
      page: count(postListPage, 1_000_000),
      limit: count(postListLimit, postListMaxLimit),
      status: z.enum(["all", ...postStatuses]).default("all"),
      q: z.string().trim().max(searchTermMaxLength).optional(),
      owner: z.string().trim().max(fullNameMaxLength).optional(),
      sort: z.enum(postSorts).optional(),
      tag: z.string().trim().max(tagMaxLength).optional(),
      ids: z
        .string()
        .transform((list) => list.split(","))
        .pipe(z.array(id).max(postListMaxLimit))
        .optional(),
    }),
    response: postList,
  }),
  search: endpoint("GET /api/workspaces/{workspaceId}/posts/search", {
    summary: "Search posts by title, tags and text",
    access: roles,
    limit: "search",
    query: z.object({ q: z.string().trim().min(1).max(searchTermMaxLength), limit: count(searchLimit, searchMaxLimit) }),
    response: z.object({ posts: z.array(postSummary) }),
  }),
  upcoming: endpoint("GET /api/posts/upcoming", {
    summary: "List scheduled posts, soonest first",
    access: "signed-in",
    query: z.object({ workspaceId: id.optional() }),
    response: z.object({ posts: z.array(postSummary) }),
    errors: ["not_found"],
  }),
  authors: endpoint("GET /api/workspaces/{workspaceId}/authors", {
    summary: "List members who can be shown as authors, owner first",
    access: roles,
    response: z.object({ authors: z.array(author) }),
  }),
  uploadImage: endpoint("POST /api/workspaces/{workspaceId}/editor/image-upload", {
    summary: "Upload an image: PNG, JPEG, WebP or GIF under 5 MB",
    access: writers,
    limit: "upload",
    multipart: "image",
    status: 201,
    response: z.object({ success: z.literal(1), file: z.object({ url: z.string(), width: z.int(), height: z.int() }) }),
    errors: ["file_not_image"],
  }),
  copyImage: endpoint("POST /api/workspaces/{workspaceId}/editor/image-copy", {
    summary: "Copy an image from another site, so readers' browsers don't contact it: PNG, JPEG, WebP or GIF under 5 MB",
    access: writers,
    limit: "importImage",
    body: z.object({ url: webAddress }),
    response: copiedImage,
  }),
} as const;
