import { expect, test } from "vitest";
import { entriesIn } from "./bucket.ts";

test("returns each entry of a list", () => {
  const xml =
    "<ListBucketResult><Contents><Key>a</Key></Contents><Contents>\n<Key>b</Key></Contents><Contents></Contents></ListBucketResult>";
  expect([...entriesIn(xml)]).toEqual(["<Key>a</Key>", "\n<Key>b</Key>", ""]);
  expect([...entriesIn("<Contents><Key>a</Key>")]).toEqual([]);
});

test("parses unterminated entries in linear time", () => {
  const began = performance.now();
  expect([...entriesIn("<Contents>".repeat(400_000))]).toEqual([]);
  expect(performance.now() - began).toBeLessThan(10_000); // backtracking would take hours
});
