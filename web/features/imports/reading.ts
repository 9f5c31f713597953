import type { PreparedPost, ReadSource } from "#importers/entry.ts";
import type { ReadNews, ReadRequest } from "./read-protocol.ts";

/** What a worker has read. */
export interface ReadPosts extends Pick<ReadSource, "source" | "name" | "isNamed" | "wantsAddress" | "leftOut"> {
  notes: readonly string[];
  posts: PreparedPost[];
  pictures: Map<string, Uint8Array>;
}

/** Why nothing could be read, a sentence. */
export class ReadingProblem extends Error {
  override readonly name = "ReadingProblem";
}

/** A reader that says nothing for this long is stuck, or the file is far beyond what any browser can hold. */
export const silenceMs = 60_000;

const stuck = "Reading took too long and was ended. Nothing was written. Try a smaller file, or split it into several.";
const broken = "This could not be read: something went wrong on our side. Nothing was written.";

/** Files this long are read by several workers at once; each reads all of it, and makes posts of its share. Pictures are not kept in memory twice. */
const longFrom = 500_000;
const longTo = 20_000_000;

function readers(files: ReadRequest["files"]): number {
  const length = files.reduce((sum, { content }) => sum + content.size, 0);
  return length < longFrom || length > longTo ? 1 : Math.min(Math.max(navigator.hardwareConcurrency, 1), 3);
}

/** Has workers read what was chosen, so that the page stays at hand. Throws a ReadingProblem, or what `signal` was aborted with. */
export async function readInWorker(
  request: ReadRequest,
  signal: AbortSignal,
  onProgress: (done: number, of: number | null) => void,
): Promise<ReadPosts> {
  const of = readers(request.files);
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
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(fail, silenceMs, stuck);
    };

    worker.addEventListener("message", ({ data }: MessageEvent<ReadNews>) => {
      heard();
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
      console.warn("The reader of imports failed.", event.message);
      fail(broken);
    });
    signal.addEventListener("abort", abort);
    worker.postMessage(request); // oxlint-disable-line unicorn/require-post-message-target-origin -- a worker has no other origin
  });
}
