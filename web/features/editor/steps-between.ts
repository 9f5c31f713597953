import type { OutputData } from "@editorjs/editorjs";
import { longestRise } from "#contract/merge/longest-rise.ts";

type Blocks = OutputData["blocks"];

/** A change between two texts at one position: `removed` blocks are replaced by `inserted`. */
export interface Step {
  at: number;
  removed: number;
  inserted: Blocks;
}

/** Minimal steps from one list of blocks to another, from the top, comparing by id and data. Unchanged blocks aren't touched. */
export function stepsBetween(from: Blocks, to: Blocks): Step[] {
  const places = new Map(from.map((block, place) => [JSON.stringify(block), place]));
  const placesInFrom = to.map((block) => places.get(JSON.stringify(block)) ?? -1); // unique, as ids are
  const common = [...placesInFrom.keys()].filter((place) => placesInFrom[place] !== -1);
  const unchanged = longestRise(common.map((place) => placesInFrom[place]!)).map((at) => common[at]!);
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  for (const next of [...unchanged, to.length]) {
    const stop = next === to.length ? from.length : placesInFrom[next]!;
    if (stop > i || next > j) steps.push({ at: i, removed: stop - i, inserted: to.slice(j, next) });
    [i, j] = [stop + 1, next + 1];
  }
  return steps;
}
