import { describe, expect, test } from "vitest";
import { batchMaxBytes, inBatches, latestFirst, oldestFirst } from "./batches.ts";

describe("posts", () => {
  const post = (title: string, published_at: string | null = null) => ({ post: { title, published_at } });

  test("of the same moment stay in their order", () => {
    const at = "2020-01-01T00:00:00.000Z";
    const posts = ["a", "b", "c"].map((title) => post(title, at));
    expect(oldestFirst(posts)).toEqual(posts);
    expect(latestFirst(posts)).toEqual(posts);
  });

  test("are shown latest first, those without a date before them", () => {
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
  test("have 25 posts at most", () => {
    expect([...inBatches(Array.from({ length: 60 }, (_, at) => at))].map(({ length }) => length)).toEqual([25, 25, 10]);
    expect([...inBatches([])]).toEqual([]);
  });

  test("stay below what a body may be, by bytes and not by characters", () => {
    const long = "é".repeat(batchMaxBytes / 4);
    expect([...inBatches([long, long, long])].map(({ length }) => length)).toEqual([1, 1, 1]);
    expect([...inBatches(["a", "e".repeat(batchMaxBytes + 10), "b"])].map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  test("stay below the values that a body may have", () => {
    const wide = Array.from({ length: 14_000 }, () => 1);
    expect([...inBatches([wide, wide, wide])].map(({ length }) => length)).toEqual([2, 1]);
  });
});
