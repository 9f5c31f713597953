import { z } from "zod";
import { boundsProblem } from "./blocks/bounds.ts";
import { threads } from "./comments.ts";
import { coverImage } from "./covers.ts";
import { blockLimits } from "./blocks/limits.ts";
import { endpoint } from "./endpoint.ts";
import { id, time, webAddress } from "./fields.ts";
import { jsonBodyMaxBytes } from "./body-limits.ts";
import { postStatuses, roles } from "./kinds.ts";
import {
  fullNameMaxLength,
  postListLimit,
  postListMaxLimit,
  postListPage,
  searchLimit,
  searchMaxLimit,
  searchTermMaxLength,
  summaryMaxLength,
  tagMaxLength,
  tagsPerPost,
  titleMaxLength,
} from "./limits.ts";
import { postSorts } from "./rules/search-tokens.ts";
import { slugMaxLength } from "./rules/slug.ts";

const writers = ["owner", "admin", "editor"] as const;

const anyTitle = z
  .string({ error: "Title is required" })
  .trim()
  .max(titleMaxLength, { error: `The title can have at most ${titleMaxLength} characters` });
/** Needed to save at all: something other than blanks. Source: specification, section 5. */
export const title = anyTitle.min(1, { error: "Title is required" });

/** What a person saves has a title; a draft that saves itself may have none yet. */
const needsTitle = {
  check: ({ title, autosave }: { title?: string; autosave?: boolean }) => title !== "" || autosave === true,
  complaint: { path: ["title"], error: "Title is required" },
};
/**
 * A draft saves itself, as it stands: it may lack a title or text, which a save by hand needs. A run of such saves by one person is one version
 * in the history. Refused for anything but a draft. Source: product decision 23.
 */
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

/** An image of another site as it is stored here; `problem`: why it couldn't be copied, a sentence. */
export const copiedImage = z.union([
  z.object({ url: z.string(), width: z.int(), height: z.int(), problem: z.null() }),
  z.object({ url: z.null(), problem: z.string() }),
]);

/** A sentence or two in the writers' words, shown in place of the excerpt; null or blank: none. */
export const summary = z
  .string()
  .trim()
  .max(summaryMaxLength, { error: `The summary can have at most ${summaryMaxLength} characters` })
  .nullish();

/** What every list of posts carries: the post without its content. */
export const postSummary = z.object({
  id,
  workspace_id: id,
  title: z.string(),
  slug: z.string(),
  /** The summary where there is one, else the beginning of the text. */
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

/** A post with its content. `content_raw` is the editor's output as JSON text, `content_md` the HTML rendered from it (product decision 20). */
export const post = postSummary.extend({
  /** Whom readers are told: who made the post unless another member was chosen. */
  author_id: id.nullable(),
  author: z.object({ user_id: id, full_name: z.string(), avatar_url: z.string().nullable() }).nullable(),
  cover_image: coverImage,
  content_raw: z.string(),
  content_md: z.string(),
  public_changelog_enabled: z.boolean(),
  /** Who saved this version; null when nobody knows. */
  updated_by_name: z.string().nullable(),
});
export type Post = z.infer<typeof post>;

/** What a block is beyond that, cleaning decides. Nothing here looks at every value: there may be many, see ./blocks/bounds.ts. */
const block = z.object({ id: z.string().optional(), type: z.string(), data: z.unknown().meta({ type: "object" }) });
const blocks = z.array(block).max(blockLimits.blocks);
const editorOutput = z.object({ time: z.number().optional(), blocks, version: z.string().optional() });
/** When a published post was news first: a moment in the past, by default that of its publication. */
const publishedAt = time.optional();
/** A member of the workspace whom readers are told as the author; null: who made the post. */
const authorId = id.nullish();
/** Whether readers are told by mail once the post is published; absent: as was said when it was scheduled, or yes. Asked anew of a draft. */
const notify = z.boolean().optional();
/** The editor's output or its bare list of blocks. */
export const content = z.union([editorOutput, blocks], { error: ({ input }) => boundsProblem(input) ?? "Content is required" });
const savedStatus = z.enum(["draft", "scheduled", "published"]);

export const createPostInput = z
  .object({
    title: anyTitle,
    summary,
    blocks: content,
    html: z.string().optional(),
    publish_at: time.nullish(),
    workspace_id: id,
    status: savedStatus.optional(),
    tags: tags.optional(),
    cover_image: coverImage.optional(),
    published_at: publishedAt,
    author_id: authorId,
    notify,
    autosave,
  })
  .refine(needsTitle.check, needsTitle.complaint);
export type CreatePostInput = z.input<typeof createPostInput>;

const slugSentence = `Please use letters, digits and single hyphens, ${slugMaxLength} at most`;

/** The last part of a post's public address. Source: product decision 5. */
export const postSlug = z
  .string({ error: slugSentence })
  .trim()
  .toLowerCase()
  .max(slugMaxLength, { error: slugSentence })
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: slugSentence });

export const updatePostInput = z
  .object({
    title: anyTitle.optional(),
    summary,
    content_raw: z.string().max(jsonBodyMaxBytes).optional(),
    content_md: z.string().optional(),
    publish_at: time.nullish(),
    status: savedStatus.optional(),
    /** Sent with a publication. Source: specification, section 7. Ignored: a post stays in its workspace. */
    workspace_id: id.optional(),
    tags: tags.optional(),
    cover_image: coverImage.optional(),
    published_at: publishedAt,
    author_id: authorId,
    notify,
    /** Another public address, by hand; the ones before lead to it. Taken: 409 slug_taken. */
    slug: postSlug.optional(),
    /** The version the caller's copy was read at; absent only for 'Save anyway'. Stale: 409 version_conflict. */
    version: z.int().positive().optional(),
    autosave,
  })
  .refine(needsTitle.check, needsTitle.complaint);
export type UpdatePostInput = z.input<typeof updatePostInput>;

/** A member as a post's author. */
export const author = z.object({ user_id: id, full_name: z.string(), avatar_url: z.string().nullable(), role: z.enum(roles) });
export type Author = z.infer<typeof author>;

const postParams = z.object({ id });
const flag = z.union([z.boolean(), z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1")]);
const count = (fallback: number, max: number) => z.coerce.number().int().min(1).max(max).default(fallback);

/** `views`: of the last 30 days, null without the analytics add-on; in lists that `q`, `owner` or `sort` was asked for. Source: product decision 8. */
export const listedPost = postSummary.extend({ views: z.int().nullable().optional() });
export type ListedPost = z.infer<typeof listedPost>;

export const postList = z.object({
  posts: z.array(listedPost),
  pagination: z.object({ page: z.int(), pages: z.int(), total: z.int() }),
});
export type PostList = z.infer<typeof postList>;

export const postEndpoints = {
  create: endpoint({
    method: "POST",
    path: "/api/posts",
    summary: "Create a post: draft, scheduled when publish_at is set, or published at once",
    access: writers,
    idempotent: true,
    carriesContent: true,
    body: createPostInput,
    status: 201,
    response: z.object({ post }),
    errors: ["forbidden", "review_required"],
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/posts/{id}",
    summary: "Save a post; absent fields stay",
    access: writers,
    idempotent: true,
    carriesContent: true,
    params: postParams,
    body: updatePostInput,
    status: 200,
    response: z.object({ post }),
    errors: ["forbidden", "version_conflict", "published_post_locked", "archived_post_locked", "slug_taken", "review_required"],
  }),
  read: endpoint({
    method: "GET",
    path: "/api/posts/{id}",
    summary: "A post with its content, and with threads=true what is said about it",
    access: roles,
    params: postParams,
    query: z.object({ threads: flag.optional() }),
    status: 200,
    response: z.object({ post, threads: threads.optional() }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/posts/{id}",
    summary: "Archive a post, or with purge delete it for good",
    access: writers,
    params: postParams,
    query: z.object({ purge: flag.optional() }),
    body: z.object({ purge: flag.optional() }).optional(),
    status: 200,
    response: z.object({ success: z.literal(true), post: postSummary.nullable() }),
    errors: ["forbidden"],
  }),
  restore: endpoint({
    method: "POST",
    path: "/api/posts/{id}/restore",
    summary:
      "Take a post out of the archive, as a draft; with the version that the archiving made, as what it was a quarter of an hour ago",
    access: writers,
    params: postParams,
    body: z.object({ version: z.int().positive().optional() }).optional(),
    status: 200,
    response: z.object({ post }),
    errors: ["forbidden", "version_conflict"],
  }),
  version: endpoint({
    method: "GET",
    path: "/api/posts/{id}/version",
    summary: "Whether a version is still the current one",
    access: roles,
    params: postParams,
    query: z.object({ version: z.coerce.number().int() }),
    status: 200,
    response: z.object({ isCurrent: z.boolean() }),
  }),
  list: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/posts",
    summary: "A workspace's posts: found by title and creator, by views or last edited first; archived ones only on request",
    access: roles,
    params: z.object({ workspaceId: id }),
    query: z.object({
      page: count(postListPage, 1_000_000),
      limit: count(postListLimit, postListMaxLimit),
      status: z.enum(["all", ...postStatuses]).default("all"),
      /** Stands in the title or the creator's name, whatever the case. */
      q: z.string().trim().max(searchTermMaxLength).optional(),
      /** The creator's whole name, whatever the case; 'Unknown' for posts that name nobody. */
      owner: z.string().trim().max(fullNameMaxLength).optional(),
      sort: z.enum(postSorts).optional(),
      /** A tag's key. */
      tag: z.string().trim().max(tagMaxLength).optional(),
      /** These posts, separated by commas, whatever their status; nothing else of the query counts then. */
      ids: z
        .string()
        .transform((list) => list.split(","))
        .pipe(z.array(id).max(postListMaxLimit))
        .optional(),
    }),
    status: 200,
    response: postList,
  }),
  search: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/posts/search",
    summary: "Posts whose title, tags or text contain a term",
    access: roles,
    limit: "search",
    params: z.object({ workspaceId: id }),
    query: z.object({ q: z.string().trim().min(1).max(searchTermMaxLength), limit: count(searchLimit, searchMaxLimit) }),
    status: 200,
    response: z.object({ posts: z.array(postSummary) }),
  }),
  upcoming: endpoint({
    method: "GET",
    path: "/api/posts/upcoming",
    summary: "Scheduled posts, soonest first",
    access: "signed-in",
    query: z.object({ workspaceId: id.optional() }),
    status: 200,
    response: z.object({ posts: z.array(postSummary) }),
    errors: ["not_found"],
  }),
  authors: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/authors",
    summary: "The members, whom readers may be told as a post's author; the owner first",
    access: roles,
    params: z.object({ workspaceId: id }),
    status: 200,
    response: z.object({ authors: z.array(author) }),
  }),
  uploadImage: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/editor/image-upload",
    summary: "Store an image for a post: PNG, JPEG, WebP or GIF under 5 MB",
    access: writers,
    limit: "upload",
    params: z.object({ workspaceId: id }),
    multipart: "image",
    status: 201,
    response: z.object({ success: z.literal(1), file: z.object({ url: z.string(), width: z.int(), height: z.int() }) }),
    errors: ["file_not_image", "forbidden"],
  }),
  copyImage: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/editor/image-copy",
    summary: "Copy an image of another site for a post, so that readers' browsers don't ask that site: PNG, JPEG, WebP or GIF under 5 MB",
    access: writers,
    limit: "importImage",
    params: z.object({ workspaceId: id }),
    body: z.object({ url: webAddress }),
    status: 200,
    response: copiedImage,
    errors: ["forbidden"],
  }),
} as const;
