import { shorten } from "#contract/blocks/excerpt.ts";
import type { PreparedPost } from "#importers/entry.ts";
import { pathOfFile, withImages } from "#importers/images.ts";
import { type ImportedEntry, importEndpoints, type WorkspaceImport } from "#contract/imports.ts";
import { titleMaxLength } from "#contract/limits.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { retry, type Waiting } from "../../lib/retry.ts";
import type { Event, LostPicture, Run } from "./machine.ts";
import { fetchPicture, type ImageResult, uploadPicture } from "./pictures.ts";
import { inBatches } from "#importers/preview/batches.ts";

export interface ImportJob {
  workspaceId: string;
  run: Run;
  /** Oldest first. */
  posts: readonly PreparedPost[];
  /** External ids the server already has. */
  written: ReadonlySet<string>;
  /** Number of rejected posts. */
  failed: number;
  /** An image file by path. */
  picture: (path: string) => Promise<Uint8Array | undefined>;
  /** Image results so far. */
  kept: Map<string, ImageResult>;
  /** Stores a result for later visits. */
  keep: (address: string, result: ImageResult) => Promise<void>;
}

type ProgressEvent = Extract<Event, { type: "kept" | "wrote" | "waits" }>;

export interface ImportResult {
  result: WorkspaceImport;
  entries: ImportedEntry[];
  lost: LostPicture[];
}

const imageConcurrency = 2;
const writeTimeoutMs = 60_000;
/** Halve batches after this many failures in a row. */
const triesBeforeHalves = 2;

/** Saves images, then writes posts in batches. Idempotent. Throws ApiError, or the abort reason. */
export async function runImport(work: ImportJob, signal: AbortSignal, tell: (news: ProgressEvent) => void): Promise<ImportResult> {
  const { workspaceId, run, kept } = work;
  const waits = (waiting: Waiting | null) => tell({ type: "waits", waiting });
  const remaining = work.posts.filter(({ post }) => !work.written.has(post.external_id));

  await saveImages(work, remaining, signal, tell);

  const refused: ImportedEntry[] = [];
  let done = work.posts.length - remaining.length;
  let { failed } = work;
  const report = () => tell({ type: "wrote", progress: { done, of: work.posts.length, failed } });
  report();
  const send = async (entries: readonly PreparedPost["post"][]) => {
    const { entries: outcomes } = await call(importEndpoints.write, {
      params: { workspaceId, id: run.id },
      body: { entries: [...entries] },
      signal: AbortSignal.any([signal, AbortSignal.timeout(writeTimeoutMs)]),
    });
    return outcomes;
  };
  const recordOutcome = (entries: readonly ImportedEntry[]) => {
    done += entries.length;
    failed += entries.filter(({ outcome }) => outcome === "failed").length;
    report();
  };

  /** Retry alone; a rejected post is recorded as failed, so that the import can finish. */
  async function writeAlone(post: PreparedPost["post"]): Promise<void> {
    try {
      recordOutcome(await retry(() => send([post]), signal, waits));
    } catch (error) {
      if (!isPostError(error)) throw error;
      const problem = error.sentence;
      try {
        recordOutcome(await retry(() => send([failedPost(post, problem)]), signal, waits));
      } catch (secondError) {
        if (!isPostError(secondError)) throw secondError;
        const entry: ImportedEntry = { external_id: post.external_id, title: post.title, outcome: "failed", post_id: null, problem };
        refused.push(entry);
        recordOutcome([entry]);
      }
    }
  }

  for (const batch of inBatches(withStoredImages(remaining, work))) {
    // Halve batches that are too large; the rest of the batch is similar.
    for (let rest = batch, most = batch.length, tries = 0; rest.length > 0; rest = rest.slice(most)) {
      try {
        const sendSome = async () => {
          try {
            return await send(rest.slice(0, most));
          } catch (error) {
            tries = error instanceof ApiError && error.code === "unavailable" ? tries + 1 : 0;
            if (tries > 0 && tries % triesBeforeHalves === 0) most = Math.ceil(Math.min(most, rest.length) / 2);
            throw error;
          }
        };
        recordOutcome(await retry(sendSome, signal, waits));
      } catch (error) {
        if (!isPostError(error)) throw error;
        // One invalid post: write the others alone.
        for (const post of rest.slice(0, most)) await writeAlone(post);
      }
      tries = 0;
    }
  }

  const end = await retry(() => call(importEndpoints.read, { params: { workspaceId, id: run.id }, signal }), signal, waits);
  const lost = [...kept].flatMap(([url, { problem }]) => (problem === null ? [] : [{ url: pathOfFile(url) ?? url, problem }]));
  return { result: end.import, entries: [...end.entries, ...refused], lost };
}

/** Replaces image URLs with the saved ones. */
function* withStoredImages(posts: readonly PreparedPost[], { kept }: ImportJob): Generator<PreparedPost["post"]> {
  const images = new Map([...kept].map(([address, picture]) => [address, picture.problem === null ? picture : null]));
  for (const post of posts) yield withImages(post, images).post;
}

const isPostError = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === "validation_failed" || error.code === "body_too_large" || error.code === "invalid_json");

/** Placeholder for a rejected post: title and reason only. */
const failedPost = ({ external_id, fingerprint, title }: PreparedPost["post"], problem: string): PreparedPost["post"] => ({
  ...{ external_id, fingerprint, status: "published", blocks: [] },
  title: shorten(title, titleMaxLength - 1) || "Untitled",
  problem: shorten(problem, 499) || "The server rejected it.",
});

/** Concurrency: two, as the server downloads them from other sites. */
async function saveImages(
  work: ImportJob,
  posts: readonly PreparedPost[],
  signal: AbortSignal,
  tell: (news: ProgressEvent) => void,
): Promise<void> {
  const { workspaceId, run, kept } = work;
  const all = [...new Set(posts.flatMap(({ images }) => images))];
  const waiting = all.filter((address) => !kept.has(address)).values();
  let done = all.filter((address) => kept.has(address)).length;
  if (all.length === 0) return;
  tell({ type: "kept", done, of: all.length });

  async function next(): Promise<void> {
    for (const address of waiting) {
      const path = pathOfFile(address);
      const bytes = path === null ? undefined : await work.picture(path);
      const result = await retry(
        () => (path === null ? fetchPicture(workspaceId, run.id, address, signal) : uploadPicture(workspaceId, path, bytes, signal)),
        signal,
        (news) => tell({ type: "waits", waiting: news }),
      );
      kept.set(address, result);
      await work.keep(address, result);
      done++;
      tell({ type: "kept", done, of: all.length });
    }
  }
  await Promise.all(Array.from({ length: imageConcurrency }, next));
}
