import { z } from "zod";
import { blockLimits } from "./blocks/limits.ts";
import { coverImage } from "./covers.ts";
import { endpoint } from "./endpoint.ts";
import { id, time, webAddress } from "./fields.ts";
import { fullNameMaxLength, importMaxEntries, importNameMaxLength, oldUrlsPerPost } from "./limits.ts";
import { content, copiedImage, postSlug, summary, tags, title } from "./posts.ts";
import { externalId } from "./v1/posts.ts";
import { figure } from "./rules/figure.ts";

/** Where posts come from: files that are read in the browser, and products whose servers are asked. */
export const importSources = [
  "changelog", // CHANGELOG.md
  "github", // releases
  "feed", // RSS, Atom, JSON Feed
  "headway",
  "beamer",
  "csv", // a table with titles and texts, of no product
  "announcekit",
  "canny",
  "launchnotes",
  "quackback",
  "changes-page",
  "ghost",
  "wordpress", // its own export (WXR)
  "markdown", // a file, a folder or a zip, with front matter or without; Notion's too
  "tidings", // our own export
] as const;

/** Those that the server asks on somebody's behalf. */
export const askedSources = ["github", "feed", "headway", "beamer", "announcekit", "canny", "launchnotes", "changes-page"] as const;

/** Entries that one call carries; the body is bounded as that of a post is. */
export const importBatchSize = 25;
/** Entries of which one call asks what became of them. */
export const compareBatchSize = 500;
/** What one answer of another product's server may hold. */
export const sourceMaxBytes = 10_485_760;

const managers = ["owner", "admin"] as const;
const count = z.int().nonnegative();
const workspaceParams = z.object({ workspaceId: id });
const params = z.object({ workspaceId: id, id });

const nameSentence = `Please use at most ${importNameMaxLength} characters`;

/** SHA-256 of what the source said of a post, in hex: by it the next run knows whether it was changed there. */
const fingerprint = z.string().regex(/^[0-9a-f]{64}$/, { error: "This is no SHA-256 in hex" });

/**
 * A post of another product as it is written here. Pictures of other sites are refused: who sends has had them kept before (`image`), or has made
 * links of them. Tags are keys, or names of which keys are made.
 */
export const importedPost = z.object({
  external_id: externalId,
  fingerprint,
  title,
  summary,
  blocks: content,
  tags: tags.default([]),
  slug: postSlug.nullish(),
  cover_image: coverImage.optional(),
  status: z.enum(["draft", "scheduled", "published", "archived"]),
  /** When it was news; of a draft nobody asks. */
  published_at: time.nullish(),
  publish_at: time.nullish(),
  /** Who wrote it, by name; readers are told. */
  author: z.string().trim().max(fullNameMaxLength).nullish(),
  old_urls: z.array(webAddress).max(oldUrlsPerPost).default([]),
  /** The version of the post here that it shall take the place of, as `compare` said; absent: it is new. */
  replaces: z.int().positive().nullish(),
  /** What keeps it from being written, a sentence, found by who sends it: it is noted as failed, and nothing else of it is looked at. */
  problem: z.string().trim().min(1).max(500).optional(),
});
export type ImportedPost = z.infer<typeof importedPost>;

/** `made` is new, `replaced` took the place of what an earlier import had left, `there` was sent before: nothing was done; `failed`: see `problem`. */
export const importOutcomes = ["made", "replaced", "there", "failed"] as const;

export const importedEntry = z.object({
  external_id: z.string(),
  title: z.string(),
  outcome: z.enum(importOutcomes),
  post_id: id.nullable(),
  /** Why it failed, a sentence. */
  problem: z.string().nullable(),
});
export type ImportedEntry = z.infer<typeof importedEntry>;

/** An import, whoever began it. `undone_at`: it was taken back; `left` posts had been touched by then and stayed. */
export const workspaceImport = z.object({
  id,
  source: z.enum(importSources),
  name: z.string(),
  created_at: time,
  created_by_name: z.string().nullable(),
  /** How many entries were chosen. */
  total: count,
  made: count,
  replaced: count,
  failed: count,
  finished_at: time.nullable(),
  undone_at: time.nullable(),
  left: count,
});
export type WorkspaceImport = z.infer<typeof workspaceImport>;

/**
 * What an entry is to the workspace: `new`; `same` as the last time; changed `there`, changed `here` (also archived), or `both`; `gone`: it was
 * imported and deleted here.
 */
export const entryStates = ["new", "same", "there", "here", "both", "gone"] as const;
export type EntryState = (typeof entryStates)[number];

export const importEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/imports",
    summary: "Imports of a workspace, latest first, 50 at most",
    access: managers,
    params: workspaceParams,
    status: 200,
    response: z.object({ imports: z.array(workspaceImport) }),
    errors: ["forbidden"],
  }),
  begin: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/imports",
    summary: "Begin an import; its entries follow in pieces",
    access: managers,
    limit: "newImport",
    idempotent: true,
    params: workspaceParams,
    body: z.object({
      source: z.enum(importSources, { error: "Please choose a source" }),
      name: z.string().trim().max(importNameMaxLength, { error: nameSentence }),
      total: z
        .int()
        .min(1, { error: "Please choose at least one post" })
        .max(importMaxEntries, {
          error: `An import can have at most ${figure(importMaxEntries)} posts`,
        }),
    }),
    status: 201,
    response: z.object({ import: workspaceImport }),
    errors: ["forbidden"],
  }),
  read: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/imports/{id}",
    summary: "An import and what became of each of its entries so far",
    access: managers,
    params,
    status: 200,
    response: z.object({ import: workspaceImport, entries: z.array(importedEntry) }),
    errors: ["forbidden"],
  }),
  write: endpoint({
    method: "PUT",
    path: "/api/workspaces/{workspaceId}/imports/{id}/entries",
    summary: "Write some of an import's posts, each by itself; those that were written before stay as they are",
    access: managers,
    carriesContent: true,
    params,
    body: z.object({
      entries: z
        .array(importedPost)
        .min(1)
        .max(importBatchSize, { error: `Please send at most ${importBatchSize} at once` }),
    }),
    status: 200,
    response: z.object({ import: workspaceImport, entries: z.array(importedEntry) }),
    errors: ["forbidden", "import_over"],
  }),
  undo: endpoint({
    method: "DELETE",
    path: "/api/workspaces/{workspaceId}/imports/{id}",
    summary: "Take an import back: what nobody has touched since is as it was before; as long as it is `unfinished`, ask again",
    access: managers,
    params,
    status: 200,
    response: z.object({ import: workspaceImport, unfinished: z.boolean() }),
    errors: ["forbidden"],
  }),
  compare: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/imports/compare",
    summary: "What posts of another product are to the workspace: new, the same, changed there or here",
    access: managers,
    carriesContent: true,
    params: workspaceParams,
    body: z.object({
      entries: z
        .array(z.object({ external_id: externalId, fingerprint }))
        .min(1)
        .max(compareBatchSize),
    }),
    status: 200,
    /** One for each that was asked for, in their order. */
    response: z.object({
      entries: z.array(
        z.object({
          external_id: z.string(),
          state: z.enum(entryStates),
          post_id: id.nullable(),
          version: z.int().nullable(),
          title: z.string().nullable(),
        }),
      ),
    }),
    errors: ["forbidden"],
  }),
  image: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/imports/{id}/images",
    summary: "Fetch a picture of another site and keep it; the same address again gives the same picture",
    access: managers,
    limit: "importImage",
    params,
    body: z.object({ url: webAddress }),
    status: 200,
    response: copiedImage,
    errors: ["forbidden", "import_over"],
  }),
  source: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/imports/source",
    summary: "Ask another product's server for a piece of what it holds; the key is used for this and kept nowhere",
    access: managers,
    limit: "importSource",
    params: workspaceParams,
    body: z.object({
      source: z.enum(askedSources, { error: "Please choose a source" }),
      /** A page's or feed's address, or `owner/name` of a repository; none where the key says it. */
      address: z.string().trim().max(blockLimits.urlLength).default(""),
      key: z.string().trim().max(500).default(""),
      /** As `next` of the piece before says. */
      after: z.string().max(2_000).nullable().default(null),
    }),
    status: 200,
    /** As the other server has answered; `next`: there is more. */
    response: z.object({ name: z.string(), text: z.string(), address: z.string(), next: z.string().nullable() }),
    errors: ["forbidden"],
  }),
} as const;
