import { compareBatchSize, importEndpoints } from "#contract/imports.ts";
import type { PreparedPost, ReadSource } from "#importers/entry.ts";
import { latestFirst } from "#importers/preview/batches.ts";
import { entryStates } from "#importers/preview/entry-states.ts";
import { importName } from "#importers/preview/import-name.ts";
import type { ReadNews, ReadRequest } from "#importers/read-source.ts";
import { call } from "../../lib/api-client.ts";
import { retry, type Waiting } from "../../lib/retry.ts";
import { ReadingProblem } from "./failures.ts";
import { type ImportSourceContent, type SourcePost, nameNotes } from "./preview.ts";
import type { AskedSource } from "./source-labels.ts";

export interface Question {
  source: AskedSource;
  address: string;
  key: string;
}

type Answers = Required<Pick<ReadRequest, "files" | "source" | "address">>;

/** Limits against endless sources. */
const maxPages = 500;
const maxBytes = 100_000_000;
const tooMuch = "This source is too large for one import. Nothing was imported.";

/** Fetches the first page of another product's posts; returns a function that fetches the rest. Throws ApiError with field errors. */
export async function askSource(workspaceId: string, question: Question, signal: AbortSignal) {
  const fetchPage = async (after: string | null) =>
    await call(importEndpoints.source, { params: { workspaceId }, body: { ...question, after }, signal });
  const first = await fetchPage(null);

  return async function rest(onPage: (pages: number) => void, onWait: (waiting: Waiting | null) => void): Promise<Answers> {
    const files: Answers["files"] = [];
    let bytes = 0;
    for (let page = first; ;) {
      files.push({ name: page.name, content: new Blob([page.text]) });
      bytes += page.text.length;
      onPage(files.length);
      const { next } = page;
      if (next === null) return { files, source: question.source, address: first.address };
      if (files.length === maxPages || bytes > maxBytes) throw new ReadingProblem(tooMuch);
      page = await retry(() => fetchPage(next), signal, onWait);
    }
  };
}

export interface ReadPosts extends Pick<ReadSource, "source" | "name" | "isNamed" | "wantsAddress" | "leftOut"> {
  notes: readonly string[];
  posts: PreparedPost[];
  pictures: Map<string, Uint8Array>;
}

/** Timeout without worker messages: it is stuck or the file is too large. */
export const silenceMs = 60_000;

const stuck = "Reading took too long. Nothing was imported. Try a smaller file, or split it into several.";
const broken = "Something went wrong on our side. Nothing was imported.";

/** Concurrency: files in this size range are parsed by several workers, each a share of the posts. */
const longFrom = 500_000;
const longTo = 20_000_000;

function workerCount(files: ReadRequest["files"]): number {
  const length = files.reduce((sum, { content }) => sum + content.size, 0);
  return length < longFrom || length > longTo ? 1 : Math.min(Math.max(navigator.hardwareConcurrency, 1), 3);
}

/** Parses in workers. Throws ReadingProblem, or the abort reason. */
export async function readInWorker(
  request: ReadRequest,
  signal: AbortSignal,
  onProgress: (done: number, of: number | null) => void,
): Promise<ReadPosts> {
  const of = workerCount(request.files);
  const done = Array<number>(of).fill(0);
  const others = new AbortController();
  try {
    const shares = await Promise.all(
      done.map((_, part) =>
        readShare({ ...request, share: { part, of } }, AbortSignal.any([signal, others.signal]), (far, all) => {
          done[part] = far;
          onProgress(
            done.reduce((sum, one) => sum + one, 0),
            all,
          );
        }),
      ),
    );
    const posts: PreparedPost[] = [];
    for (const [part, share] of shares.entries()) for (const [place, post] of share.posts.entries()) posts[place * of + part] = post;
    return { ...shares[0]!, posts };
  } finally {
    others.abort();
  }
}

function readShare(request: ReadRequest, signal: AbortSignal, onProgress: (done: number, of: number | null) => void): Promise<ReadPosts> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module" });
    const posts: PreparedPost[] = [];
    const pictures = new Map<string, Uint8Array>();
    let facts: Omit<ReadPosts, "posts" | "pictures"> | null = null;

    const end = () => {
      clearTimeout(silence);
      signal.removeEventListener("abort", abort);
      worker.terminate();
    };
    const fail = (problem: string) => {
      end();
      reject(new ReadingProblem(problem));
    };
    const abort = () => {
      end();
      reject(signal.reason as Error);
    };
    let silence = setTimeout(fail, silenceMs, stuck);
    const resetTimeout = () => {
      clearTimeout(silence);
      silence = setTimeout(fail, silenceMs, stuck);
    };

    worker.addEventListener("message", ({ data }: MessageEvent<ReadNews>) => {
      resetTimeout();
      if (data.kind === "progress") onProgress(data.done, data.of);
      if (data.kind === "facts") facts = data;
      if (data.kind === "posts") posts.push(...data.posts);
      if (data.kind === "pictures") for (const [path, bytes] of data.pictures) pictures.set(path, bytes);
      if (data.kind === "problem") fail(data.problem);
      if (data.kind === "end" && facts) {
        end();
        resolve({ ...facts, posts, pictures });
      }
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      console.warn("The import worker failed.", event.message);
      fail(broken);
    });
    signal.addEventListener("abort", abort);
    worker.postMessage(request); // oxlint-disable-line unicorn/require-post-message-target-origin -- a worker has no other origin
  });
}

/** Adds each post's state in the workspace. `chosen`: fallback name. */
export async function compareWithWorkspace(
  workspaceId: string,
  chosen: string,
  { source, name, isNamed, wantsAddress, notes, leftOut, posts, pictures }: ReadPosts,
  signal: AbortSignal,
  { onProgress, onWait }: { onProgress: (done: number, of: number) => void; onWait: (waiting: Waiting | null) => void },
): Promise<ImportSourceContent> {
  const sourcePosts: SourcePost[] = [];
  for (let from = 0; from < posts.length; from += compareBatchSize) {
    onProgress(from, posts.length);
    const some = posts.slice(from, from + compareBatchSize);
    const states = await entryStates(some, async (entries) => {
      const compare = () => call(importEndpoints.compare, { params: { workspaceId }, body: { entries }, signal });
      return (await retry(compare, signal, onWait)).entries;
    });
    some.forEach((post, place) => {
      const { state = "new", post_id = null, version = null } = states[place] ?? {};
      sourcePosts.push({ ...post, state, postId: post_id, version });
    });
  }
  return {
    source,
    name: importName(name ?? chosen),
    isNamed,
    wantsAddress,
    notes: [...notes, ...nameNotes(isNamed, sourcePosts)],
    leftOut,
    posts: latestFirst(sourcePosts),
    pictures,
  };
}
