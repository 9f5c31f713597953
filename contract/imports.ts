import { z } from "zod";
import { blockLimits } from "./blocks/limits.ts";
import { coverImage } from "./covers.ts";
import { detailsInput } from "./details.ts";
import { endpoint } from "./endpoint.ts";
import { id, time, webAddress } from "./fields.ts";
import { managers } from "./kinds.ts";
import { fullNameMaxLength, importMaxEntries, importNameMaxLength, oldUrlsPerPost } from "./limits.ts";
import { content, copiedImage, postSlug, requestList, summary, tags, title } from "./posts.ts";
import { externalId } from "./v1/posts.ts";
import { figure } from "./rules/figure.ts";

/** Sources parsed in the browser, and products whose servers are called. */
export const importSources = [
  "changelog",
  "github",
  "feed",
  "headway",
  "beamer",
  "csv",
  "announcekit",
  "canny",
  "launchnotes",
  "quackback",
  "changes-page",
  "ghost",
  "wordpress",
  "markdown",
  "tidings",
] as const;

export const askedSources = ["github", "feed", "headway", "beamer", "announcekit", "canny", "launchnotes", "changes-page"] as const;

export const importBatchSize = 25;
export const compareBatchSize = 500;
export const sourceMaxBytes = 10_485_760;

const count = z.int().nonnegative();

const nameSentence = `Please use at most ${importNameMaxLength} characters`;

/** SHA-256 of the source's data of a post, in hex: a later run detects changes by it. */
const fingerprint = z.string().regex(/^[0-9a-f]{64}$/, { error: "This isn't a SHA-256 hash in hex" });

/** Images of other sites are refused: copy them first (`image`) or link to them. Tags are keys, or names that keys are derived from. */
export const importedPost = z.object({
  external_id: externalId,
  fingerprint,
  title,
  summary,
  blocks: content,
  tags: tags.default([]),
  slug: postSlug.nullish(),
  cover_image: coverImage.optional(),
  details: detailsInput.optional(),
  status: z.enum(["draft", "scheduled", "published", "archived"]),
  published_at: time.nullish(),
  publish_at: time.nullish(),
  author: z.string().trim().max(fullNameMaxLength).nullish(),
  old_urls: z.array(webAddress).max(oldUrlsPerPost).default([]),
  /** Of new posts only. */
  requests: requestList.optional(),
  /** Version of the existing post to replace, from `compare`; absent: a new post. */
  replaces: z.int().positive().nullish(),
  problem: z.string().trim().min(1).max(500).optional(),
});
export type ImportedPost = z.infer<typeof importedPost>;

/** `replaced`: overwrote an earlier import; `there`: already imported, unchanged. */
export const importOutcomes = ["made", "replaced", "there", "failed"] as const;

export const importedEntry = z.object({
  external_id: z.string(),
  title: z.string(),
  outcome: z.enum(importOutcomes),
  post_id: id.nullable(),
  problem: z.string().nullable(),
});
export type ImportedEntry = z.infer<typeof importedEntry>;

/** `undone_at`: the import was undone; `left`: posts kept because they had been changed. */
export const workspaceImport = z.object({
  id,
  source: z.enum(importSources),
  name: z.string(),
  created_at: time,
  created_by_name: z.string().nullable(),
  total: count,
  made: count,
  replaced: count,
  failed: count,
  finished_at: time.nullable(),
  undone_at: time.nullable(),
  left: count,
});
export type WorkspaceImport = z.infer<typeof workspaceImport>;

/** State in the workspace. `there`: changed in the source; `here`: changed or archived here; `gone`: imported, then deleted here. */
export const entryStates = ["new", "same", "there", "here", "both", "gone"] as const;
export type EntryState = (typeof entryStates)[number];

export const importEndpoints = {
  list: endpoint("GET /api/workspaces/{workspaceId}/imports", {
    summary: "List imports, latest first, at most 50",
    access: managers,
    response: z.object({ imports: z.array(workspaceImport) }),
  }),
  begin: endpoint("POST /api/workspaces/{workspaceId}/imports", {
    summary: "Start an import; its entries follow in batches",
    access: managers,
    limit: "newImport",
    idempotent: true,
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
  }),
  read: endpoint("GET /api/workspaces/{workspaceId}/imports/{id}", {
    summary: "Read an import and the result of each entry so far",
    access: managers,
    response: z.object({ import: workspaceImport, entries: z.array(importedEntry) }),
  }),
  write: endpoint("PUT /api/workspaces/{workspaceId}/imports/{id}/entries", {
    summary: "Import a batch of posts; entries imported before are skipped",
    access: managers,
    carriesContent: true,
    body: z.object({
      entries: z
        .array(importedPost)
        .min(1)
        .max(importBatchSize, { error: `Please send at most ${importBatchSize} at once` }),
    }),
    response: z.object({ import: workspaceImport, entries: z.array(importedEntry) }),
    errors: ["import_over"],
  }),
  undo: endpoint("DELETE /api/workspaces/{workspaceId}/imports/{id}", {
    summary: "Undo an import: unchanged posts are reverted or removed; repeat while `unfinished`",
    access: managers,
    response: z.object({ import: workspaceImport, unfinished: z.boolean() }),
  }),
  compare: endpoint("POST /api/workspaces/{workspaceId}/imports/compare", {
    summary: "Compare another product's posts with the workspace: new, same, changed there or here",
    access: managers,
    carriesContent: true,
    body: z.object({
      entries: z
        .array(z.object({ external_id: externalId, fingerprint }))
        .min(1)
        .max(compareBatchSize),
    }),
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
  }),
  image: endpoint("POST /api/workspaces/{workspaceId}/imports/{id}/images", {
    summary: "Copy an image from another site; the same URL again returns the same copy",
    access: managers,
    limit: "importImage",
    body: z.object({ url: webAddress }),
    response: copiedImage,
    errors: ["import_over"],
  }),
  source: endpoint("POST /api/workspaces/{workspaceId}/imports/source", {
    summary: "Fetch one page from another product's server; the key isn't stored",
    access: managers,
    limit: "importSource",
    body: z.object({
      source: z.enum(askedSources, { error: "Please choose a source" }),
      /** URL of a page or feed, or `owner/name` of a repository; empty where the key is enough. */
      address: z.string().trim().max(blockLimits.urlLength).default(""),
      key: z.string().trim().max(500).default(""),
      after: z.string().max(2_000).nullable().default(null),
    }),
    response: z.object({ name: z.string(), text: z.string(), address: z.string(), next: z.string().nullable() }),
  }),
} as const;
