import { expect, test } from "vitest";
import { entriesIn } from "./bucket.ts";

test("each entry of a list is read", () => {
  const xml =
    "<ListBucketResult><Contents><Key>a</Key></Contents><Contents>\n<Key>b</Key></Contents><Contents></Contents></ListBucketResult>";
  expect([...entriesIn(xml)]).toEqual(["<Key>a</Key>", "\n<Key>b</Key>", ""]);
  expect([...entriesIn("<Contents><Key>a</Key>")]).toEqual([]);
});

test("a list of entries that never end is read as fast as any other", () => {
  const began = performance.now();
  expect([...entriesIn("<Contents>".repeat(400_000))]).toEqual([]);
  expect(performance.now() - began).toBeLessThan(10_000); // a lazy pattern takes hours
});
