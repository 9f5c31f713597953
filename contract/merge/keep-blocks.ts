import { type Block, typeOf } from "../blocks/block-types.ts";
import type { ReadAgain } from "../blocks/read-again.ts";
import type { Unknown } from "../blocks/read.ts";
import { contentKey, plainly } from "./blocks.ts";
import { likenessOf, wordCounts } from "./items.ts";
import { longestRise } from "./longest-rise.ts";

type Known = ReadonlyMap<Block, ReadAgain>;

/** Blocks looked at to find which of the text one that was rewritten has been. */
const mostCandidates = 20;
/** Share of words that two blocks have in common when one is the other, rewritten. */
const alike = 0.5;

/**
 * A post's text that was written anew without ids, as an assistant does who read it as Markdown: each block that says the same is the one of the
 * post, with its id and all that is set at it, and one that was rewritten keeps the id of what it was. So who has the post open meets only what
 * was changed. `readAgain`: contract/blocks/read-again.ts.
 */
export function keepBlocks(present: readonly Block[], written: readonly Block[], readAgain: (block: Block) => ReadAgain): Block[] {
  const known = new Map(present.map((block) => [block, readAgain(block)]));
  const partner = same(present, written, known);
  const kept: Block[] = written.map(({ type, data }, place) => present[partner.get(place)!] ?? ({ type, data } as Block));
  const taken = new Set(partner.values());
  const words = new Map<Block, Words>(); // of a block of the post, which is looked at again and again
  for (const { old, now } of gaps(present.length, written.length, partner)) {
    let next = 0;
    const before = old.filter((place) => !taken.has(place) && !known.get(present[place]!)!.silent);
    const after = now.filter((place) => !partner.has(place));
    for (const place of after) {
      const isOnlyOne = before.length === 1 && after.length === 1;
      const at = isOnlyOne ? 0 : mostAlike(before.slice(next, next + mostCandidates), written[place]!, present, words);
      const was = at === null ? undefined : present[before[next + at]!];
      if (at === null || was?.type !== written[place]!.type) continue;
      kept[place] = rewritten(was, written[place]!, known.get(was)!);
      next += at + 1;
    }
  }
  return withSilent(present, kept, known);
}

/** Which block of the post says what a written one says, by places: the first the first, the second of the same the second. */
function same(present: readonly Block[], written: readonly Block[], known: Known): Map<number, number> {
  const places = new Map<string, number[]>();
  const note = (said: string, place: number) => {
    const known = places.get(said);
    if (known) known.push(place);
    else places.set(said, [place]);
  };
  for (const [place, block] of present.entries()) note(contentKey(block), place);
  for (const [place, block] of present.entries()) {
    for (const said of new Set(known.get(block)!.readings.map(contentKey))) if (said !== contentKey(block)) note(said, place);
  }
  for (const found of places.values()) found.sort((one, other) => one - other); // of those that Markdown cannot tell apart each is where it was
  const partner = new Map<number, number>();
  const taken = new Set<number>();
  for (const [place, block] of written.entries()) {
    const found = places.get(contentKey(block))?.find((one) => !taken.has(one));
    if (found === undefined) continue;
    partner.set(place, found);
    taken.add(found);
  }
  return partner;
}

/** The places between blocks that stand in both in the same order. */
function* gaps(before: number, after: number, partner: ReadonlyMap<number, number>): Generator<{ old: number[]; now: number[] }, void> {
  const found = [...partner].toSorted(([one], [other]) => one - other);
  const frame = longestRise(found.map(([, place]) => place)).map((at) => found[at]!);
  let [now, old] = [0, 0];
  for (const [end, until] of [...frame, [after, before] as const]) {
    yield { old: from(old, until), now: from(now, end) };
    [now, old] = [end + 1, until + 1];
  }
}

const from = (start: number, end: number): number[] => Array.from({ length: Math.max(0, end - start) }, (_, n) => start + n);

interface Words {
  bag: ReturnType<typeof wordCounts>;
  /** How many they are. */
  count: number;
}

function wordsOf(block: Block): Words {
  const bag = wordCounts(typeOf(block).words(block.data).join("\n"));
  let count = 0;
  for (const times of bag.values()) count += times;
  return { bag, count };
}

/** No two blocks are more alike than this, whatever their words are: a long one and a short one are not compared, however often they meet. */
const mostLikely = (one: Words, other: Words): number => (2 * Math.min(one.count, other.count)) / (one.count + other.count);

function mostAlike(candidates: readonly number[], block: Block, present: readonly Block[], known: Map<Block, Words>): number | null {
  const words = wordsOf(block);
  let best: number | null = null;
  let most = alike;
  for (const [at, place] of candidates.entries()) {
    const one = present[place]!;
    if (one.type === block.type) {
      const others = known.get(one) ?? wordsOf(one);
      known.set(one, others);
      const isLikely = words.count > 0 && others.count > 0 && mostLikely(words, others) >= most;
      const likeness = isLikely ? likenessOf(others.bag, words.bag) : 0;
      if (likeness > most || (best === null && likeness === most)) [best, most] = [at, likeness];
    }
  }
  return best;
}

/** The block with what was changed: a field that is as Markdown says it is as it was. */
function rewritten(was: Block, now: Block, { readings }: ReadAgain): Block {
  const bare = readings.at(-1);
  if (bare?.type !== now.type) return { id: was.id, type: now.type, data: now.data } as Block;
  const [said, say] = [plainly(bare), plainly(now)];
  const data: Unknown = { ...now.data };
  for (const [name, value] of Object.entries(was.data)) if (JSON.stringify(said[name]) === JSON.stringify(say[name])) data[name] = value;
  return { id: was.id, type: now.type, data } as unknown as Block;
}

/** With the blocks of which Markdown says nothing at all, each behind the one it stood behind; where that is gone, it goes too. */
function withSilent(present: readonly Block[], kept: readonly Block[], known: Known): Block[] {
  const behind = new Map<string, Block[]>();
  const first: Block[] = [];
  let last = first;
  for (const block of present) {
    if (known.get(block)!.silent) last.push(block);
    else behind.set(block.id ?? "", (last = []));
  }
  const there = new Set(kept);
  return [
    ...first.filter((block) => !there.has(block)),
    ...kept.flatMap((block) => [block, ...(behind.get(block.id ?? "") ?? []).filter((one) => !there.has(one))]),
  ];
}
