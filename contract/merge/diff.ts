import { diffArrays } from "diff";

/** What stands in another place of a sequence: `from`–`to` of the one became `start`–`end` of the other (ends are not included). */
export interface Hunk {
  from: number;
  to: number;
  start: number;
  end: number;
}

/** Pieces that may differ before two texts count as two texts that have nothing to do with each other. */
const mostDiffering = 1_000;

/**
 * What makes `after` of `before`, in order, by the fewest pieces. Null when more than `most` pieces differ: time and memory grow with what
 * differs, never with the square of the length, however many pieces are alike.
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

/** Puts `items` from `start` to `end` behind `list`. A call with as many arguments as a long text has lines would end in an error. */
export function append<Item>(list: Item[], items: readonly Item[], start = 0, end = items.length): void {
  for (let place = start; place < end; place++) list.push(items[place]!);
}

/** How many pieces are alike at the beginning, and of the rest at the end. */
function alikeAtTheEnds(before: readonly string[], after: readonly string[]): [head: number, tail: number] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return [head, tail];
}

/** The pieces as numbers: those are compared in one step, however long the pieces are. */
function numbered(before: readonly string[], after: readonly string[]): [number[], number[]] {
  const numbers = new Map<string, number>();
  const numberOf = (piece: string): number => {
    const known = numbers.get(piece) ?? numbers.size;
    numbers.set(piece, known);
    return known;
  };
  return [before.map(numberOf), after.map(numberOf)];
}
