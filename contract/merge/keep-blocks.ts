import { type Block, typeOf } from "../blocks/block-types.ts";
import type { ReadAgain } from "../blocks/round-trip.ts";
import type { Unknown } from "../blocks/read.ts";
import { contentKey, plainly } from "./blocks.ts";
import { likenessOf, wordCounts } from "./items.ts";
import { longestRise } from "./longest-rise.ts";

type Known = ReadonlyMap<Block, ReadAgain>;

const mostCandidates = 20;
/** Minimum share of common words for a block to count as rewritten. */
const alike = 0.5;

/**
 * Matches blocks written without ids, e.g. by an assistant as Markdown, to the post's blocks: equal ones keep their id and settings,
 * rewritten ones their id. People with the post open then get only real changes. `readAgain`: contract/blocks/round-trip.ts.
 */
export function keepBlocks(present: readonly Block[], written: readonly Block[], readAgain: (block: Block) => ReadAgain): Block[] {
  const roundTrips = new Map(present.map((block) => [block, readAgain(block)]));
  const partner = same(present, written, roundTrips);
  const merged: Block[] = written.map(({ type, data }, place) => present[partner.get(place)!] ?? ({ type, data } as Block));
  const usedIndexes = new Set(partner.values());
  const words = new Map<Block, Words>();
  for (const { old, now } of gaps(present.length, written.length, partner)) {
    let next = 0;
    const before = old.filter((place) => !usedIndexes.has(place) && !roundTrips.get(present[place]!)!.silent);
    const after = now.filter((place) => !partner.has(place));
    for (const place of after) {
      const isOnlyOne = before.length === 1 && after.length === 1;
      const at = isOnlyOne ? 0 : mostAlike(before.slice(next, next + mostCandidates), written[place]!, present, words);
      const was = at === null ? undefined : present[before[next + at]!];
      if (at === null || was?.type !== written[place]!.type) continue;
      merged[place] = rewritten(was, written[place]!, roundTrips.get(was)!);
      next += at + 1;
    }
  }
  return withSilent(present, merged, roundTrips);
}

function same(present: readonly Block[], written: readonly Block[], roundTrips: Known): Map<number, number> {
  const places = new Map<string, number[]>();
  const note = (key: string, place: number) => {
    const existing = places.get(key);
    if (existing) existing.push(place);
    else places.set(key, [place]);
  };
  for (const [place, block] of present.entries()) note(contentKey(block), place);
  for (const [place, block] of present.entries()) {
    for (const reading of new Set(roundTrips.get(block)!.readings.map(contentKey))) if (reading !== contentKey(block)) note(reading, place);
  }
  for (const indexes of places.values()) indexes.sort((one, other) => one - other); // blocks that Markdown can't distinguish keep their order
  const partner = new Map<number, number>();
  const usedIndexes = new Set<number>();
  for (const [place, block] of written.entries()) {
    const index = places.get(contentKey(block))?.find((one) => !usedIndexes.has(one));
    if (index === undefined) continue;
    partner.set(place, index);
    usedIndexes.add(index);
  }
  return partner;
}

function* gaps(before: number, after: number, partner: ReadonlyMap<number, number>): Generator<{ old: number[]; now: number[] }, void> {
  const pairs = [...partner].toSorted(([one], [other]) => one - other);
  const frame = longestRise(pairs.map(([, place]) => place)).map((at) => pairs[at]!);
  let [now, old] = [0, 0];
  for (const [end, until] of [...frame, [after, before] as const]) {
    yield { old: from(old, until), now: from(now, end) };
    [now, old] = [end + 1, until + 1];
  }
}

const from = (start: number, end: number): number[] => Array.from({ length: Math.max(0, end - start) }, (_, n) => start + n);

interface Words {
  bag: ReturnType<typeof wordCounts>;
  count: number;
}

function wordsOf(block: Block): Words {
  const bag = wordCounts(typeOf(block).words(block.data).join("\n"));
  let count = 0;
  for (const times of bag.values()) count += times;
  return { bag, count };
}

/** Upper bound of similarity by length, to skip hopeless comparisons. */
const mostLikely = (one: Words, other: Words): number => (2 * Math.min(one.count, other.count)) / (one.count + other.count);

function mostAlike(candidates: readonly number[], block: Block, present: readonly Block[], wordsByBlock: Map<Block, Words>): number | null {
  const words = wordsOf(block);
  let best: number | null = null;
  let most = alike;
  for (const [at, place] of candidates.entries()) {
    const one = present[place]!;
    if (one.type === block.type) {
      const others = wordsByBlock.get(one) ?? wordsOf(one);
      wordsByBlock.set(one, others);
      const isLikely = words.count > 0 && others.count > 0 && mostLikely(words, others) >= most;
      const likeness = isLikely ? likenessOf(others.bag, words.bag) : 0;
      if (likeness > most || (best === null && likeness === most)) [best, most] = [at, likeness];
    }
  }
  return best;
}

/** Applies changed fields; a field equal to its Markdown round trip keeps its value. */
function rewritten(was: Block, now: Block, { readings }: ReadAgain): Block {
  const bare = readings.at(-1);
  if (bare?.type !== now.type) return { id: was.id, type: now.type, data: now.data } as Block;
  const [bareData, say] = [plainly(bare), plainly(now)];
  const data: Unknown = { ...now.data };
  for (const [name, value] of Object.entries(was.data))
    if (JSON.stringify(bareData[name]) === JSON.stringify(say[name])) data[name] = value;
  return { id: was.id, type: now.type, data } as unknown as Block;
}

/** Keeps blocks that Markdown can't express behind their predecessor; they go if it's gone. */
function withSilent(present: readonly Block[], merged: readonly Block[], roundTrips: Known): Block[] {
  const behind = new Map<string, Block[]>();
  const first: Block[] = [];
  let last = first;
  for (const block of present) {
    if (roundTrips.get(block)!.silent) last.push(block);
    else behind.set(block.id ?? "", (last = []));
  }
  const mergedBlocks = new Set(merged);
  return [
    ...first.filter((block) => !mergedBlocks.has(block)),
    ...merged.flatMap((block) => [block, ...(behind.get(block.id ?? "") ?? []).filter((one) => !mergedBlocks.has(one))]),
  ];
}
