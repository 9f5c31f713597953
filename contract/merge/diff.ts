import { diffArrays } from "diff";

export interface Hunk {
  from: number;
  to: number;
  start: number;
  end: number;
}

const mostDiffering = 1_000;

/**
 * Minimal diff, in order; null above `most` differing pieces. Time and memory grow with the difference, not with the square of the length.
 */
export function diff(before: readonly string[], after: readonly string[], most = mostDiffering): Hunk[] | null {
  const [head, tail] = alikeAtTheEnds(before, after);
  const [a, b] = numbered(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  if (a.length === 0 && b.length === 0) return [];
  if (a.length === 0 || b.length === 0) return [{ from: head, to: head + a.length, start: head, end: head + b.length }];
  const changes = diffArrays(a, b, { maxEditLength: most });
  if (changes === undefined) return null;
  const hunks: Hunk[] = [];
  let [from, start] = [head, head];
  for (const { added, removed, count } of changes) {
    const [to, end] = [added ? from : from + count, removed ? start : start + count];
    const last = hunks.at(-1);
    if (!added && !removed) void 0;
    else if (last?.to === from && last.end === start) [last.to, last.end] = [to, end];
    else hunks.push({ from, to, start, end });
    [from, start] = [to, end];
  }
  return hunks;
}

/** Appends `items` from `start` to `end`. push(...items) exceeds the argument limit on long texts. */
export function append<Item>(list: Item[], items: readonly Item[], start = 0, end = items.length): void {
  for (let place = start; place < end; place++) list.push(items[place]!);
}

function alikeAtTheEnds(before: readonly string[], after: readonly string[]): [head: number, tail: number] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return [head, tail];
}

/** Maps pieces to numbers, which compare in constant time. */
function numbered(before: readonly string[], after: readonly string[]): [number[], number[]] {
  const numbers = new Map<string, number>();
  const numberOf = (piece: string): number => {
    const id = numbers.get(piece) ?? numbers.size;
    numbers.set(piece, id);
    return id;
  };
  return [before.map(numberOf), after.map(numberOf)];
}
