import { describe, expect, test } from "vitest";
import { batchMaxBytes, inBatches, latestFirst, oldestFirst } from "./batches.ts";

describe("posts", () => {
  const post = (title: string, published_at: string | null = null) => ({ post: { title, published_at } });

  test("posts of the same moment keep their order", () => {
    const at = "2020-01-01T00:00:00.000Z";
    const posts = ["a", "b", "c"].map((title) => post(title, at));
    expect(oldestFirst(posts)).toEqual(posts);
    expect(latestFirst(posts)).toEqual(posts);
  });

  test("posts are shown latest first, undated ones before them", () => {
    const [old, put, late] = [
      post("old", "2020-01-01T00:00:00.000Z"),
      post("put away", "2021-01-01T00:00:00.000Z"),
      post("late", "2026-01-01T00:00:00.000Z"),
    ];
    const draft = post("draft");
    expect(latestFirst([old, draft, late, put]).map(({ post }) => post.title)).toEqual(["draft", "late", "put away", "old"]);
  });
});

describe("batches", () => {
  test("batches have 25 posts at most", () => {
    expect([...inBatches(Array.from({ length: 60 }, (_, at) => at))].map(({ length }) => length)).toEqual([25, 25, 10]);
    expect([...inBatches([])]).toEqual([]);
  });

  test("batches stay below the body limit in bytes", () => {
    const long = "é".repeat(batchMaxBytes / 4);
    expect([...inBatches([long, long, long])].map(({ length }) => length)).toEqual([1, 1, 1]);
    expect([...inBatches(["a", "e".repeat(batchMaxBytes + 10), "b"])].map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  test("batches stay below the limit of values", () => {
    const wide = Array.from({ length: 14_000 }, () => 1);
    expect([...inBatches([wide, wide, wide])].map(({ length }) => length)).toEqual([2, 1]);
  });
});
