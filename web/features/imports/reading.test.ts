import { beforeEach, describe, expect, test, vi } from "vitest";
import type { PreparedPost } from "#importers/entry.ts";
import type { ReadNews, ReadRequest } from "#importers/read-source.ts";
import { SilentReader, stubReader } from "../../../tests/support/web/fake-reader.ts";
import { ReadingProblem } from "./failures.ts";
import { readInWorker, silenceMs } from "./reading.ts";

const request = (files: ReadRequest["files"] = [{ name: "a.md", content: new Blob(["a"]) }]): ReadRequest => ({
  ...{ files, now: "2026-01-05T09:00:00.000Z", workspace: "22222222-2222-4222-8222-222222222222" },
});

describe("import worker", () => {
  beforeEach(() => {
    SilentReader.made = [];
    stubReader(SilentReader);
    vi.useFakeTimers();
    return () => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    };
  });
  const facts: ReadNews = { kind: "facts", source: "feed", name: null, isNamed: true, wantsAddress: false, notes: [], leftOut: [] };
  const post = (title: string): PreparedPost => ({
    post: { external_id: title, fingerprint: "0".repeat(64), title, blocks: [], status: "published" },
    ...{ losses: [], images: [], problem: null },
  });

  test("times out after a minute without messages", async () => {
    const read = readInWorker(request(), new AbortController().signal, () => undefined);
    const refused = expect(read).rejects.toThrow(ReadingProblem);
    const [worker] = SilentReader.made;
    await vi.advanceTimersByTimeAsync(silenceMs - 1);
    worker!.say({ kind: "progress", done: 1, of: 2 });
    await vi.advanceTimersByTimeAsync(silenceMs - 1);
    expect(worker!.ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(worker!.ended).toBe(true);
    await refused;
  });

  test("splits long files between workers and keeps the order", async () => {
    vi.stubGlobal("navigator", { ...navigator, hardwareConcurrency: 2 });
    const long = request([{ name: "a.md", content: new Blob(["a".repeat(500_000)]) }]);
    const far: (number | null)[][] = [];
    const read = readInWorker(long, new AbortController().signal, (...progress) => far.push(progress));
    expect(SilentReader.made.map(({ asked }) => asked?.share)).toEqual([
      { part: 0, of: 2 },
      { part: 1, of: 2 },
    ]);
    const posts = ["1", "2", "3", "4", "5"].map(post);
    for (const [part, worker] of [...SilentReader.made.entries()].reverse()) {
      worker.say(facts);
      worker.say({ kind: "progress", done: 2, of: 5 });
      worker.say({ kind: "posts", posts: posts.filter((_, place) => place % 2 === part) });
      worker.say({ kind: "end" });
    }
    expect((await read).posts).toEqual(posts);
    expect(far).toEqual([[2, 5], [4, 5]]); // oxfmt-ignore
    expect(SilentReader.made.every(({ ended }) => ended)).toBe(true);
  });

  test("stops the others on failure", async () => {
    vi.stubGlobal("navigator", { ...navigator, hardwareConcurrency: 2 });
    const read = readInWorker(
      request([{ name: "a.md", content: new Blob(["a".repeat(500_000)]) }]),
      new AbortController().signal,
      () => undefined,
    );
    SilentReader.made[1]!.say({ kind: "problem", problem: "It has no versions" });
    await expect(read).rejects.toThrow("It has no versions");
    expect(SilentReader.made.map(({ ended }) => ended)).toEqual([true, true]);
  });

  test("terminates when done, failed or aborted", async () => {
    const aborting = new AbortController();
    const reads = [0, 1, 2].map(() => readInWorker(request(), aborting.signal, () => undefined));
    const [through, failing, unwanted] = SilentReader.made;
    through!.say(facts);
    through!.say({ kind: "end" });
    await expect(reads[0]).resolves.toMatchObject({ source: "feed", posts: [] });
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    failing!.dispatchEvent(new ErrorEvent("error", { message: "x is undefined", cancelable: true }));
    await expect(reads[1]).rejects.toThrow(/went wrong on our side/);
    aborting.abort(new Error("unwanted"));
    await expect(reads[2]).rejects.toThrow("unwanted");
    expect([through, failing, unwanted].map((worker) => worker!.ended)).toEqual([true, true, true]);
  });
});
