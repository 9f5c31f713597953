import { shorten } from "#contract/blocks/excerpt.ts";
import type { PreparedPost } from "#importers/entry.ts";
import { pathOfFile, withImages } from "#importers/images.ts";
import { type ImportedEntry, importEndpoints, type WorkspaceImport } from "#contract/imports.ts";
import { titleMaxLength } from "#contract/limits.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import type { Event, LostPicture, Run, Waiting } from "./machine.ts";
import { fetchPicture, type KeptPicture, uploadPicture } from "./pictures.ts";
import { retry } from "./failures.ts";
import { inBatches } from "#importers/preview/batches.ts";

export interface Work {
  workspaceId: string;
  run: Run;
  /** All that belong to it, oldest first. */
  posts: readonly PreparedPost[];
  /** Names of those that the server has already. */
  written: ReadonlySet<string>;
  /** How many of those it has refused. */
  failed: number;
  /** A picture that came along, by its path. */
  picture: (path: string) => Promise<Uint8Array | undefined>;
  /** What became of pictures so far; grows. */
  kept: Map<string, KeptPicture>;
  /** Keeps that beyond this visit. */
  keep: (address: string, result: KeptPicture) => Promise<void>;
}

type News = Extract<Event, { type: "kept" | "wrote" | "waits" }>;

export interface Ended {
  result: WorkspaceImport;
  entries: ImportedEntry[];
  lost: LostPicture[];
}

const picturesAtOnce = 2;
const writeTimeoutMs = 60_000;
/** A batch that fails so often in a row may be too much for the server. */
const triesBeforeHalves = 2;

/** Keeps the pictures, then writes the posts, batch by batch; both can be done again without harm. Throws an ApiError, or what `signal` was aborted with. */
export async function runImport(work: Work, signal: AbortSignal, tell: (news: News) => void): Promise<Ended> {
  const { workspaceId, run, kept } = work;
  const waits = (waiting: Waiting | null) => tell({ type: "waits", waiting });
  const left = work.posts.filter(({ post }) => !work.written.has(post.external_id));

  await keepPictures(work, left, signal, tell);

  const refused: ImportedEntry[] = [];
  let done = work.posts.length - left.length;
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
  const took = (entries: readonly ImportedEntry[]) => {
    done += entries.length;
    failed += entries.filter(({ outcome }) => outcome === "failed").length;
    report();
  };

  /** One that is refused whatever happens to others: the server notes it as failed, so that the import comes to its end. */
  async function writeAlone(post: PreparedPost["post"]): Promise<void> {
    try {
      took(await retry(() => send([post]), signal, waits));
    } catch (error) {
      if (!isOfOnePost(error)) throw error;
      const problem = error.sentence;
      try {
        took(await retry(() => send([failedPost(post, problem)]), signal, waits));
      } catch (again) {
        if (!isOfOnePost(again)) throw again;
        const entry: ImportedEntry = { external_id: post.external_id, title: post.title, outcome: "failed", post_id: null, problem };
        refused.push(entry);
        took([entry]);
      }
    }
  }

  for (const batch of inBatches(placed(left, work))) {
    // What is too much for the server at once may be less in halves; the rest of this batch is like it.
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
        took(await retry(sendSome, signal, waits));
      } catch (error) {
        if (!isOfOnePost(error)) throw error;
        // One of them cannot be read as a post: the others shall not suffer for it.
        for (const post of rest.slice(0, most)) await writeAlone(post);
      }
      tries = 0;
    }
  }

  const end = await retry(() => call(importEndpoints.read, { params: { workspaceId, id: run.id }, signal }), signal, waits);
  const lost = [...kept].flatMap(([url, { problem }]) => (problem === null ? [] : [{ url: pathOfFile(url) ?? url, problem }]));
  return { result: end.import, entries: [...end.entries, ...refused], lost };
}

/** Posts with their pictures where they are now. */
function* placed(posts: readonly PreparedPost[], { kept }: Work): Generator<PreparedPost["post"]> {
  const images = new Map([...kept].map(([address, picture]) => [address, picture.problem === null ? picture : null]));
  for (const post of posts) yield withImages(post, images).post;
}

const isOfOnePost = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === "validation_failed" || error.code === "body_too_large" || error.code === "invalid_json");

/** Its name and why it failed: anything else of it may be what the server does not take. As a published one without words nobody writes it by mistake. */
const failedPost = ({ external_id, fingerprint, title }: PreparedPost["post"], problem: string): PreparedPost["post"] => ({
  ...{ external_id, fingerprint, status: "published", blocks: [] },
  title: shorten(title, titleMaxLength - 1) || "Untitled",
  problem: shorten(problem, 499) || "The server does not take it.",
});

/** Two at a time: the server fetches them from other sites. */
async function keepPictures(work: Work, posts: readonly PreparedPost[], signal: AbortSignal, tell: (news: News) => void): Promise<void> {
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
  await Promise.all(Array.from({ length: picturesAtOnce }, next));
}
