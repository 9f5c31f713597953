/** A thread in the column: the height of its block, where it would like to stand, and its own. */
export interface Placed {
  wanted: number;
  height: number;
}

/**
 * Where each stands so that none covers another, in the order given, none above `first`. The one that is looked at stands level with its block,
 * where that is possible at all; those before it move up as far as there is room, those behind it down.
 */
export function placeThreads(threads: readonly Placed[], looked: number, first: number, gap: number): number[] {
  const tops: number[] = [];
  let free = first;
  for (const { wanted, height } of threads) {
    const top = Math.max(wanted, free);
    tops.push(top);
    free = top + height + gap;
  }
  const one = threads[looked];
  if (one === undefined || tops[looked]! <= one.wanted) return tops;
  const above = threads.slice(0, looked).reduce((sum, { height }) => sum + height + gap, first);
  let top = Math.max(one.wanted, above);
  tops[looked] = top;
  for (let place = looked - 1; place >= 0; place--) {
    top = Math.min(tops[place]!, top - gap - threads[place]!.height);
    tops[place] = top;
  }
  free = tops[looked] + one.height + gap;
  for (let place = looked + 1; place < threads.length; place++) {
    tops[place] = Math.max(threads[place]!.wanted, free);
    free = tops[place]! + threads[place]!.height + gap;
  }
  return tops;
}
