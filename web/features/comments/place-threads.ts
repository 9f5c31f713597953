/** A thread in the column, in px: the top it should have, and its height. */
export interface Placed {
  level: number;
  height: number;
}

/**
 * Tops of threads without overlaps, in the given order, none above `first`. The active thread is level with its block where possible:
 * threads before it move up, threads after it down.
 */
export function placeThreads(threads: readonly Placed[], active: number, first: number, gap: number): number[] {
  const tops: number[] = [];
  let free = first;
  for (const { level, height } of threads) {
    const top = Math.max(level, free);
    tops.push(top);
    free = top + height + gap;
  }
  const activeThread = threads[active];
  if (activeThread === undefined || tops[active]! <= activeThread.level) return tops;
  const above = threads.slice(0, active).reduce((sum, { height }) => sum + height + gap, first);
  let top = Math.max(activeThread.level, above);
  tops[active] = top;
  for (let place = active - 1; place >= 0; place--) {
    top = Math.min(tops[place]!, top - gap - threads[place]!.height);
    tops[place] = top;
  }
  free = tops[active] + activeThread.height + gap;
  for (let place = active + 1; place < threads.length; place++) {
    tops[place] = Math.max(threads[place]!.level, free);
    free = tops[place]! + threads[place]!.height + gap;
  }
  return tops;
}
