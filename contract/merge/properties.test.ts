import { test } from "../../tests/support/properties.ts";
import { expect } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { anyThree, wordsOf } from "../../tests/support/any-versions.ts";
import { mergeVersions, settle } from "./merge-versions.ts";
import type { Merge } from "./types.ts";
import type { PostContent } from "../rules/post-content.ts";

const placesOf = ({ blocks }: Merge) =>
  blocks.map((one) => {
    if (!("collision" in one)) return { id: one.block.id!, blocks: [one.block] };
    const { id, mine, theirs } = one.collision;
    return { id, blocks: [theirs, mine].filter((block) => block !== null) };
  });
const settled = (merge: Merge): PostContent => settle(merge, { blocks: {} })!;
const sorted = (values: Iterable<string>): string[] => [...values].sort();

function nothingIsLostOrDoubled(base: PostContent, mine: PostContent, theirs: PostContent, merge: Merge): void {
  const [old, ours, others] = [base, mine, theirs].map(({ blocks }) => new Set(wordsOf(blocks))) as [Set<string>, Set<string>, Set<string>];
  const merged = placesOf(merge).flatMap(({ blocks }) => wordsOf(blocks));
  const there = new Set(merged);
  const isDeleted = (word: string): boolean => old.has(word) && !(ours.has(word) && others.has(word));
  expect([...ours, ...others].filter((word) => !isDeleted(word) && !there.has(word))).toEqual([]);
  expect(new Set(merge.blocks.map((one) => ("collision" in one ? one.collision.id : one.block.id))).size).toBe(merge.blocks.length);
  if (merge.counts.collisions > 0) return;
  expect(there.size).toBe(merged.length);
  expect(merged.filter(isDeleted)).toEqual([]);
}

function whatOneDidComesOut(base: PostContent, mine: PostContent, theirs: PostContent): void {
  expect(settled(mergeVersions(base, base, theirs))).toEqual(theirs);
  expect(settled(mergeVersions(base, mine, base))).toEqual(mine);
  expect(settled(mergeVersions(base, mine, mine))).toEqual(mine);
}

function bothOrdersAreAlike(merge: Merge, other: Merge): void {
  const set = (one: Merge) =>
    sorted(placesOf(one).map(({ id, blocks }) => JSON.stringify([id, sorted(blocks.map((block) => JSON.stringify(block)))])));
  expect(set(merge)).toEqual(set(other));
  expect(merge.counts).toEqual({ ...other.counts, mine: other.counts.theirs, theirs: other.counts.mine });
}

function aSecondTimeChangesNothing(mine: PostContent, theirs: PostContent, merge: Merge): void {
  if (merge.counts.collisions > 0) return;
  const result = settled(merge);
  expect(settled(mergeVersions(theirs, result, theirs))).toEqual(result);
  expect(settled(mergeVersions(mine, result, mine))).toEqual(result);
  expect(settled(mergeVersions(result, result, result))).toEqual(result);
}

function itIsAsCleaningHasIt(merge: Merge): void {
  for (const { blocks } of placesOf(merge)) {
    expect(cleanBlocks(structuredClone(blocks)).blocks.map(({ data }) => data)).toEqual(blocks.map(({ data }) => data));
  }
}

test.prop([anyThree], { numRuns: Number(process.env.FUZZ_RUNS ?? 1_000), ...(!process.env.FUZZ_RUNS && { seed: 23 }) })(
  "a merge loses nothing that wasn't deleted and duplicates nothing",
  ({ base, mine, theirs }) => {
    const merge = mergeVersions(base, mine, theirs);
    nothingIsLostOrDoubled(base, mine, theirs, merge);
    whatOneDidComesOut(base, mine, theirs);
    bothOrdersAreAlike(merge, mergeVersions(base, theirs, mine));
    aSecondTimeChangesNothing(mine, theirs, merge);
    itIsAsCleaningHasIt(merge);
  },
  120_000, // takes 15 s on an idle machine
);
