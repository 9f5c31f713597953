import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { Block } from "#contract/blocks/block-types.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { anyThree, wordsOf } from "../../tests/support/any-versions.ts";
import { isClean, mergeVersions, settle } from "./merge-versions.ts";
import type { Merge, Version } from "./types.ts";

// The same ones each time, or others: FUZZ_RUNS=300000 vitest run --project units contract/merge/properties.test.ts --testTimeout 600000
const runs = { numRuns: Number(process.env.FUZZ_RUNS ?? 10_000), ...(!process.env.FUZZ_RUNS && { seed: 23 }) };

/** Each place as its id and what stands there, a collision as both of its sides. */
const placesOf = ({ blocks }: Merge) =>
  blocks.map((one) =>
    "collision" in one
      ? { id: one.collision.id, blocks: [one.collision.theirs, one.collision.mine] }
      : { id: one.block.id!, blocks: [one.block] },
  );
const wordsOfMerge = (merge: Merge): string[] => placesOf(merge).flatMap(({ blocks }) => wordsOf(blocks.filter((block) => block !== null)));
const settled = (merge: Merge): Version => settle(merge, { blocks: {} })!;
const sorted = (values: Iterable<string>): string[] => [...values].sort();

describe("whatever two people do to one text", () => {
  test.prop([anyThree], runs)("nothing is lost that nobody deleted, and nothing is there twice", ({ base, mine, theirs }) => {
    const merge = mergeVersions(base, mine, theirs);
    const [old, ours, others, merged] = [base.blocks, mine.blocks, theirs.blocks].map(wordsOf).concat([wordsOfMerge(merge)]) as string[][];
    const there = new Set(merged);
    const isDeleted = (word: string) => old!.includes(word) && !(ours!.includes(word) && others!.includes(word));
    expect([...ours!, ...others!].filter((word) => !isDeleted(word) && !there.has(word))).toEqual([]);
    const ids = placesOf(merge).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    if (isClean(merge)) {
      expect(new Set(merged).size).toBe(merged!.length);
      expect(merged!.filter(isDeleted)).toEqual([]);
    }
  });

  test.prop([anyThree], runs)("what only one side did is what comes out", ({ base, mine, theirs }) => {
    expect(settled(mergeVersions(base, base, theirs))).toEqual(theirs);
    expect(settled(mergeVersions(base, mine, base))).toEqual(mine);
    expect(settled(mergeVersions(base, mine, mine))).toEqual(mine);
  });

  test.prop([anyThree], runs)("both orders give the same blocks", ({ base, mine, theirs }) => {
    const [one, other] = [mergeVersions(base, mine, theirs), mergeVersions(base, theirs, mine)];
    const set = (merge: Merge) =>
      sorted(placesOf(merge).map(({ id, blocks }) => JSON.stringify([id, sorted(blocks.map((block) => JSON.stringify(block)))])));
    expect(set(one)).toEqual(set(other));
    expect(one.counts).toEqual({ ...other.counts, mine: other.counts.theirs, theirs: other.counts.mine });
  });

  test.prop([anyThree], runs)("what was merged is merged: a second time changes nothing", ({ base, mine, theirs }) => {
    const merge = mergeVersions(base, mine, theirs);
    if (!isClean(merge)) return;
    const result = settled(merge);
    expect(settled(mergeVersions(theirs, result, theirs))).toEqual(result);
    expect(settled(mergeVersions(mine, result, mine))).toEqual(result);
    expect(settled(mergeVersions(result, result, result))).toEqual(result);
  });

  test.prop([anyThree], runs)("what comes out is as cleaning has it", ({ base, mine, theirs }) => {
    for (const { blocks } of placesOf(mergeVersions(base, mine, theirs))) {
      const written = blocks.filter((block): block is Block => block !== null);
      expect(cleanBlocks(written.map((block) => structuredClone(block))).blocks.map(({ data }) => data)).toEqual(
        written.map(({ data }) => data),
      );
    }
  });
});
