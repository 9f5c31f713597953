import { describe, expect, test } from "vitest";
import { type Adapter, ImportProblem, type ImportEntry } from "./entry.ts";
import { type ReadNews, type ReadRequest, readSource } from "./read-source.ts";

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
    (one) => void news.push(one),
    () => found,
  );
  return news;
}
const batchesOf = (news: ReadNews[]) => news.flatMap((one) => (one.kind === "posts" ? [one.posts.length] : []));

describe("what is read", () => {
  test("is sent in batches of 25 posts, fewer if they're long, with progress", async () => {
    const news = await newsOf(adapter(Array.from({ length: 60 }, (_, number) => entry(number))));
    expect(batchesOf(news)).toEqual([25, 25, 10]);
    expect(news.filter(({ kind }) => kind === "progress")).toEqual([
      { kind: "progress", done: 25, of: 60 },
      { kind: "progress", done: 50, of: 60 },
    ]);
    expect([news[0]!.kind, news.at(-1)!.kind]).toEqual(["facts", "end"]);
    const long = `${"Long words. ".repeat(3_000)}\n\n`.repeat(3);
    expect(batchesOf(await newsOf(adapter([1, 2, 3, 4].map((number) => entry(number, long)))))).toEqual([2, 2, 0]);
  });

  test("is split among readers: each prepares its share, the first sends the images", async () => {
    const whole = adapter(
      [1, 2, 3, 4, 5].map((number) => entry(number)),
      new Map([["a.png", new Uint8Array([1])]]),
    );
    const shares = await Promise.all([0, 1].map((part) => newsOf(whole, { ...request(), share: { part, of: 2 } })));
    const titles = shares.map((news) => news.flatMap((one) => (one.kind === "posts" ? one.posts.map(({ post }) => post.title) : [])));
    expect(titles).toEqual([
      ["Post 1", "Post 3", "Post 5"],
      ["Post 2", "Post 4"],
    ]);
    expect(shares.map((news) => news.some(({ kind }) => kind === "pictures"))).toEqual([true, false]);
  });

  test("says if ids name the product", async () => {
    for (const isNamed of [true, false]) {
      const one: Adapter = { ...adapter([entry(1)]), read: () => ({ ...adapter([entry(1)]).read([], { now: new Date() }), isNamed }) };
      expect((await newsOf(one))[0]).toMatchObject({ kind: "facts", isNamed });
    }
  });

  test("transfers images as separate buffers", async () => {
    const whole = new Uint8Array([1, 2, 3, 4]);
    const news = await newsOf(adapter([entry(1)], new Map([["a.png", whole.subarray(1, 3)]])));
    const pictures = news.find((one) => one.kind === "pictures")!.pictures;
    expect([...pictures[0]![1]]).toEqual([2, 3]);
    expect(pictures[0]![1].buffer.byteLength).toBe(2);
  });

  test.each([
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
      "a.md can't be opened",
    ],
  ])("is refused with a sentence: %s", async (_what, found, asked, sentence) => {
    expect(await newsOf(found, asked)).toEqual([{ kind: "problem", problem: expect.stringContaining(sentence) }]);
  });

  test("reports an adapter's message; our own faults throw", async () => {
    const failing = (error: Error): Adapter => ({
      ...adapter([]),
      read: () => {
        throw error;
      },
    });
    expect(await newsOf(failing(new ImportProblem("It has no versions")))).toEqual([{ kind: "problem", problem: "It has no versions" }]);
    await expect(newsOf(failing(new TypeError("x is undefined")))).rejects.toThrow("x is undefined");
  });
});
