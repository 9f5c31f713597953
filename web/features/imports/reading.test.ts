import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Adapter, ImportProblem, type ImportEntry } from "#importers/entry.ts";
import { SilentReader, stubReader } from "../../../tests/support/web/fake-reader.ts";
import type { ReadNews, ReadRequest } from "./read-protocol.ts";
import { readSource } from "./read-source.ts";
import { readInWorker, ReadingProblem, silenceMs } from "./reading.ts";

const request = (files: ReadRequest["files"] = [{ name: "a.md", content: new Blob(["a"]) }]): ReadRequest => ({
  ...{ files, now: "2026-01-05T09:00:00.000Z", workspace: "22222222-2222-4222-8222-222222222222" },
});

const entry = (number: number, text = "Words"): ImportEntry => ({
  ...{ external_id: `feed:${number}`, title: `Post ${number}`, published_at: "2020-01-05T09:00:00Z", status: "published", tags: [] },
  ...{ old_urls: [], content: { kind: "markdown", text }, notes: [], leftOut: [] },
});

const adapter = (entries: ImportEntry[], images = new Map<string, Uint8Array>()): Adapter => ({
  source: "feed",
  recognizes: () => 1,
  read: () => ({
    ...{ source: "feed", name: "Acme news", isNamed: true, wantsAddress: false, leftOut: [] },
    ...{ entries, notes: ["A feed has its latest entries only"], images },
  }),
});

async function newsOf(found: Adapter, asked = request()): Promise<ReadNews[]> {
  const news: ReadNews[] = [];
  await readSource(
    asked,
    () => found,
    (one) => void news.push(one),
  );
  return news;
}
const piecesOf = (news: ReadNews[]) => news.flatMap((one) => (one.kind === "posts" ? [one.posts.length] : []));

describe("what is read", () => {
  test("is told in pieces of 25 posts, smaller where they are long, with how far it is", async () => {
    const news = await newsOf(adapter(Array.from({ length: 60 }, (_, number) => entry(number))));
    expect(piecesOf(news)).toEqual([25, 25, 10]);
    expect(news.filter(({ kind }) => kind === "progress")).toEqual([
      { kind: "progress", done: 25, of: 60 },
      { kind: "progress", done: 50, of: 60 },
    ]);
    expect([news[0]!.kind, news.at(-1)!.kind]).toEqual(["facts", "end"]);
    const long = `${"Long words. ".repeat(3_000)}\n\n`.repeat(3);
    expect(piecesOf(await newsOf(adapter([1, 2, 3, 4].map((number) => entry(number, long)))))).toEqual([2, 2, 0]);
  });

  test("has each name once, and says that there were more", async () => {
    const [facts, posts] = await newsOf(adapter([entry(1), entry(2), { ...entry(1), title: "Again" }]));
    expect(facts).toMatchObject({ notes: ["A feed has its latest entries only", expect.stringContaining("same name as another")] });
    expect(posts).toMatchObject({ posts: [{ post: { title: "Post 1" } }, { post: { title: "Post 2" } }] });
  });

  test("has names once that differ in blanks: they are kept as one", async () => {
    const [facts, posts] = await newsOf(
      adapter([{ ...entry(1), external_id: "feed:a b" }, entry(2), { ...entry(3), external_id: "feed:a  b\t" }]),
    );
    expect(facts).toMatchObject({ notes: ["A feed has its latest entries only", expect.stringContaining("same name as another")] });
    expect(posts).toMatchObject({ posts: [{ post: { external_id: "feed:a b", title: "Post 1" } }, { post: { title: "Post 2" } }] });
  });

  test("says whether its posts' names say whose they are", async () => {
    for (const isNamed of [true, false]) {
      const one: Adapter = { ...adapter([entry(1)]), read: () => ({ ...adapter([entry(1)]).read([], { now: new Date() }), isNamed }) };
      expect((await newsOf(one))[0]).toMatchObject({ kind: "facts", isNamed });
    }
  });

  test("brings its pictures along as buffers of their own", async () => {
    const whole = new Uint8Array([1, 2, 3, 4]);
    const news = await newsOf(adapter([entry(1)], new Map([["a.png", whole.subarray(1, 3)]])));
    const pictures = news.find((one) => one.kind === "pictures")!.pictures;
    expect([...pictures[0]![1]]).toEqual([2, 3]);
    expect(pictures[0]![1].buffer.byteLength).toBe(2);
  });

  test.each([
    [
      "more posts than one import takes",
      adapter(Array.from({ length: 10_001 }, (_, number) => entry(number))),
      request(),
      "There are 10,001 posts in it",
    ],
    [
      "more files than a changelog has",
      adapter([]),
      request(Array.from({ length: 5_001 }, () => ({ name: "a", content: new Blob() }))),
      "5,000 files",
    ],
    ["more than memory takes", adapter([]), request([{ name: "a", content: { size: 200_000_001 } as Blob }]), "more than 200 MB"],
    [
      "a file that is gone",
      adapter([]),
      request([
        { name: "a.md", content: { size: 1, arrayBuffer: () => Promise.reject(new DOMException("gone", "NotFoundError")) } as Blob },
      ]),
      "a.md could not be opened",
    ],
  ])("is refused with a sentence: %s", async (_what, found, asked, sentence) => {
    expect(await newsOf(found, asked)).toEqual([{ kind: "problem", problem: expect.stringContaining(sentence) }]);
  });

  test("says the adapter's sentence; a fault of ours is no sentence", async () => {
    const failing = (error: Error): Adapter => ({ ...adapter([]), read: () => { throw error; } }); // oxfmt-ignore
    expect(await newsOf(failing(new ImportProblem("It has no versions")))).toEqual([{ kind: "problem", problem: "It has no versions" }]);
    await expect(newsOf(failing(new TypeError("x is undefined")))).rejects.toThrow("x is undefined");
  });
});

describe("the worker", () => {
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

  test("is ended after a minute of silence, and every word gives it another one", async () => {
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

  test("has others beside it for what is long: each makes posts of its share, and they stand in their order", async () => {
    vi.stubGlobal("navigator", { ...navigator, hardwareConcurrency: 2 });
    const long = request([{ name: "a.md", content: new Blob(["a".repeat(500_000)]) }]);
    const far: (number | null)[][] = [];
    const read = readInWorker(long, new AbortController().signal, (...progress) => far.push(progress));
    expect(SilentReader.made.map(({ asked }) => asked?.share)).toEqual([
      { part: 0, of: 2 },
      { part: 1, of: 2 },
    ]);
    const all = await newsOf(adapter([1, 2, 3, 4, 5].map((number) => entry(number))));
    for (const [part, worker] of [...SilentReader.made.entries()].reverse()) {
      const news = await newsOf(adapter([1, 2, 3, 4, 5].map((number) => entry(number))), { ...long, share: { part, of: 2 } });
      for (const one of [...news.slice(0, 1), { kind: "progress", done: 2, of: 5 } as const, ...news.slice(1)]) worker.say(one);
    }
    expect((await read).posts).toEqual(all.flatMap((one) => (one.kind === "posts" ? one.posts : [])));
    expect(far).toEqual([[2, 5], [4, 5]]); // oxfmt-ignore
    expect(SilentReader.made.every(({ ended }) => ended)).toBe(true);
  });

  test("that fails ends the others", async () => {
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

  test("is ended when it is through, when it fails, and when nobody wants it any more", async () => {
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
