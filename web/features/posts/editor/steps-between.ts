import type { OutputData } from "@editorjs/editorjs";
import { longestRise } from "#contract/merge/longest-rise.ts";

type Blocks = OutputData["blocks"];

/** One place where a text becomes another: `gone` are places in the first text, next to each other, in whose stead `come` stands. */
export interface Step {
  /** The place in the first text before which `come` stands. */
  at: number;
  gone: number;
  come: Blocks;
}

/**
 * How one text becomes another with as few blocks drawn anew as possible: what is the same in both, in the same order, is not touched, however
 * much differs above and below. In order, from the top. By ids.
 */
export function stepsBetween(from: Blocks, to: Blocks): Step[] {
  const places = new Map(from.map((block, place) => [JSON.stringify(block), place]));
  const there = to.map((block) => places.get(JSON.stringify(block)) ?? -1); // unique: ids are
  const common = [...there.keys()].filter((place) => there[place] !== -1);
  const kept = longestRise(common.map((place) => there[place]!)).map((at) => common[at]!);
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  for (const next of [...kept, to.length]) {
    const stop = next === to.length ? from.length : there[next]!;
    if (stop > i || next > j) steps.push({ at: i, gone: stop - i, come: to.slice(j, next) });
    [i, j] = [stop + 1, next + 1];
  }
  return steps;
}
