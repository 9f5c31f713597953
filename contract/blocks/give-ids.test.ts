import { expect, test } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";

const paragraph = (text: string, id?: unknown) => ({ id, type: "paragraph", data: { text } });
const idsOf = (blocks: unknown[]) => giveIds(cleanBlocks(blocks)).blocks.map(({ id }) => id);

test("keeps existing ids in every place", () => {
  expect(idsOf([paragraph("a", "one"), paragraph("b"), paragraph("c", "two")])).toEqual(["one", expect.any(String), "two"]);
});

test("replaces missing, malformed and duplicate ids with ten letters and digits", () => {
  const ids = idsOf([paragraph("a"), paragraph("b", "<b>"), paragraph("c", "x"), paragraph("d", "x"), paragraph("e", 7)]);
  expect(ids[2]).toBe("x");
  expect(ids.every((id) => id === "x" || /^[\da-z]{10}$/.test(id!))).toBe(true);
  expect(new Set(ids).size).toBe(5);
});

test("gives the same content the same ids, also for equal blocks", () => {
  const blocks = [paragraph("a"), paragraph("a"), paragraph(""), paragraph(""), { type: "delimiter", data: {} }];
  expect(idsOf(blocks)).toEqual(idsOf(blocks));
  expect(new Set(idsOf(blocks)).size).toBe(5);
});

test("is idempotent, and a block keeps its id when others are inserted before it", () => {
  const once = giveIds(cleanBlocks([paragraph("a"), paragraph("b")]));
  const [first, second] = once.blocks.map(({ id }) => id);
  expect(JSON.stringify(cleanBlocks(once))).toBe(JSON.stringify(once));
  expect(idsOf(once.blocks)).toEqual([first, second]);
  expect(idsOf([paragraph("new"), ...once.blocks]).slice(1)).toEqual([first, second]);
});

test("never gives an id that another block already has", () => {
  const [given] = idsOf([paragraph("a")]);
  const ids = idsOf([paragraph("a"), paragraph("other", given)]);
  expect(ids[1]).toBe(given);
  expect(ids[0]).not.toBe(given);
});
