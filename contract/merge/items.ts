import { append, diff, type Hunk } from "./diff.ts";
import { piecesOfInline } from "./merge-text.ts";

export interface Parts<Item> {
  key(item: Item): string;
  mergeOne(base: Item, mine: Item, theirs: Item): Item | null;
}

/** Above this number of pairs, items are matched in order. */
const mostPairs = 2_500;
const alike = 0.5;

/** Three-way merge of items. Both sides' insertions at one place are kept, theirs first; null when one item was changed in two ways. */
export function mergeItems<Item>(base: readonly Item[], mine: readonly Item[], theirs: readonly Item[], parts: Parts<Item>): Item[] | null {
  const [ours, others] = [changesOf(base, mine, parts), changesOf(base, theirs, parts)];
  if (ours === null || others === null) return null;
  const merged: Item[] = [];
  let at = 0;
  let [mineAt, theirsAt] = [0, 0];
  while (mineAt < ours.length || theirsAt < others.length) {
    const [own, other] = [ours[mineAt], others[theirsAt]];
    if (own && other && isSame(own, mine, other, theirs, parts)) {
      append(merged, base, at, own.from);
      append(merged, mine, own.start, own.end);
      at = own.to;
      mineAt++;
      theirsAt++;
    } else if (own && other && own.from < other.to && other.from < own.to) {
      if (!isOne(own) || !isOne(other)) return null;
      const one = parts.mergeOne(base[own.from]!, mine[own.start]!, theirs[other.start]!);
      if (one === null) return null;
      append(merged, base, at, own.from);
      merged.push(one);
      at = own.to;
      mineAt++;
      theirsAt++;
    } else {
      // At one place: insertions first, theirs before mine.
      const theirsFirst = other && (!own || other.from < own.from || (other.from === own.from && other.to <= Math.max(own.to, own.from)));
      const [next, items] = theirsFirst ? [other, theirs] : [own!, mine];
      append(merged, base, at, next.from);
      append(merged, items, next.start, next.end);
      at = next.to;
      if (theirsFirst) theirsAt++;
      else mineAt++;
    }
  }
  append(merged, base, at);
  return isTwice(merged, [base, mine, theirs], parts) ? null : merged;
}

/** True if an item occurs more often than on any side, as when both moved it to different places. */
function isTwice<Item>(merged: readonly Item[], sides: readonly (readonly Item[])[], { key }: Parts<Item>): boolean {
  const count = (items: readonly Item[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
    return counts;
  };
  const sideCounts = sides.map(count);
  return [...count(merged)].some(([item, times]) => times > 1 && times > Math.max(...sideCounts.map((counts) => counts.get(item) ?? 0)));
}

const isOne = ({ from, to, start, end }: Hunk): boolean => to - from === 1 && end - start === 1;

const isSame = <Item>(one: Hunk, mine: readonly Item[], other: Hunk, theirs: readonly Item[], { key }: Parts<Item>): boolean =>
  one.from === other.from &&
  one.to === other.to &&
  one.end - one.start === other.end - other.start &&
  mine.slice(one.start, one.end).every((item, index) => key(item) === key(theirs[other.start + index]!));

export function changesOf<Item>(before: readonly Item[], after: readonly Item[], { key }: Pick<Parts<Item>, "key">): Hunk[] | null {
  const [old, now] = [before.map(key), after.map(key)];
  return diff(old, now)?.flatMap((hunk) => rewritten(hunk, old, now)) ?? null;
}

function rewritten({ from, to, start, end }: Hunk, old: readonly string[], now: readonly string[]): Hunk[] {
  const [removed, added] = [to - from, end - start];
  if (removed === 0 || added === 0) return [{ from, to, start, end }];
  const pairs =
    removed * added > mostPairs || (removed === 1 && added === 1)
      ? inOrder(removed, added)
      : bestPairs(old.slice(from, to), now.slice(start, end));
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  for (const [one, other] of [...pairs, [removed, added] as const]) {
    if (i < one || j < other) hunks.push({ from: from + i, to: from + one, start: start + j, end: start + other });
    if (one < removed) hunks.push({ from: from + one, to: from + one + 1, start: start + other, end: start + other + 1 });
    [i, j] = [one + 1, other + 1];
  }
  return hunks;
}

type Pair = readonly [number, number];

const inOrder = (removed: number, added: number): Pair[] =>
  removed === added ? Array.from({ length: removed }, (_, place) => [place, place] as const) : [];

/** Order-preserving matching of old and new items with the highest total similarity. */
function bestPairs(old: readonly string[], now: readonly string[]): Pair[] {
  const [a, b] = [old.map(wordCounts), now.map(wordCounts)];
  const likeness = a.map((one) => b.map((other) => likenessOf(one, other)));
  const width = b.length + 1;
  const best = new Float64Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const paired = likeness[i]![j]! >= alike ? likeness[i]![j]! + best[(i + 1) * width + j + 1]! : 0;
      best[i * width + j] = Math.max(paired, best[(i + 1) * width + j]!, best[i * width + j + 1]!);
    }
  }
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const score = best[i * width + j]!;
    if (score === best[(i + 1) * width + j]) i++;
    else if (score === best[i * width + j + 1]) j++;
    else pairs.push([i++, j++]);
  }
  return pairs;
}

type WordCounts = Map<string, number>;

export function wordCounts(text: string): WordCounts {
  const counts: WordCounts = new Map();
  for (const piece of piecesOfInline(text)) if (piece.trim() !== "") counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return counts;
}

export function likenessOf(one: WordCounts, other: WordCounts): number {
  let [common, all] = [0, 0];
  for (const [piece, count] of one) {
    common += Math.min(count, other.get(piece) ?? 0);
    all += count;
  }
  for (const count of other.values()) all += count;
  return all === 0 ? 1 : (2 * common) / all;
}
