import type { OutputData } from "@editorjs/editorjs";

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
  const kept = longestRise(there);
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  for (const next of [...kept, to.length]) {
    const stop = next === to.length ? from.length : there[next]!;
    if (stop > i || next > j) steps.push({ at: i, gone: stop - i, come: to.slice(j, next) });
    [i, j] = [stop + 1, next + 1];
  }
  return steps;
}

/** The indices of a longest row of rising numbers, those below 0 left out. */
function longestRise(numbers: readonly number[]): number[] {
  const ends: number[] = []; // of the rows of each length: where the one with the lowest end ends
  const before: number[] = [];
  for (const [index, number] of numbers.entries()) {
    if (number < 0) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]!]! < number) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const rise: number[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index]!) rise.push(index);
  return rise.reverse();
}
