/**
 * How long merging two people's versions of a post takes, and comparing them, also where a post is as large as one may be or made to be slow.
 * Run: node tests/bench/merging.ts. Ends with 1 when a limit is missed.
 */
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blockLimits } from "#contract/blocks/limits.ts";
import { compareVersions } from "#contract/merge/compare.ts";
import { mergeVersions } from "#contract/merge/merge-versions.ts";
import type { Version } from "#contract/merge/types.ts";
import { inPairs, Report } from "./report.ts";

interface Three {
  base: Version;
  mine: Version;
  theirs: Version;
}

const version = (texts: readonly string[], ids: readonly string[]): Version => ({
  title: "Title",
  summary: "",
  cover: null,
  tags: ["one"],
  blocks: cleanBlocks(texts.map((text, place) => ({ id: ids[place], type: "paragraph", data: { text } }))).blocks,
});

/** Words of a language that has some far more often than others. */
function* words(): Generator<string, never> {
  for (let seed = 23; ; seed = (seed * 48_271) % 2_147_483_647) yield `w${Math.floor((seed / 2_147_483_647) ** 3 * 400)}`;
}

/** Both write in every third block, other words of the same ones now and then, move some and add some. */
function written(count: number, length: number): Three {
  const word = words();
  const text = () => Array.from({ length }, () => word.next().value).join(" ");
  const texts = Array.from({ length: count }, text);
  const ids = texts.map((_, place) => `block${place}`);
  const side = (name: string, at: number, every: number): Version => {
    const changed = texts.map((one, place) => (place % every === 0 ? one.split(" ").with(at, name).join(" ") : one));
    const order = [...ids.keys()];
    for (let place = every; place + every < count; place += 10 * every) order.splice(place, 0, ...order.splice(place + every, 1));
    const { blocks, ...rest } = version(
      order.map((place) => changed[place]!),
      order.map((place) => ids[place]!),
    );
    const added = Array.from({ length: Math.ceil(count / 50) }, (_, place) => ({
      id: `${name}${place}`,
      type: "paragraph" as const,
      data: { text: text() },
    }));
    return { ...rest, blocks: [...blocks, ...added].slice(0, blockLimits.blocks) };
  };
  return { base: version(texts, ids), mine: side("mine", 2, 3), theirs: side("theirs", length - 3, 2) };
}

/** One block of a post, as long as it may be, that both wrote anew. */
function one(base: string, mine: string, theirs: string): Three {
  const of = (text: string): Version => version([text.slice(0, blockLimits.blockLength)], ["block"]);
  return { base: of(base), mine: of(mine), theirs: of(theirs) };
}
const many = (part: string): string => part.repeat(Math.ceil(blockLimits.blockLength / part.length));

const shuffled = (seed: number): string => {
  const word = words();
  for (let skipped = 0; skipped < seed; skipped++) word.next();
  return Array.from({ length: 12_000 }, () => word.next().value).join(" ");
};

/** Milliseconds. */
function took(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

/** All three versions read from JSON and written again: what any merge does before it has begun. */
const readAndWrite = (three: Three): string => JSON.stringify(JSON.parse(JSON.stringify(three)));
const merge = ({ base, mine, theirs }: Three) => mergeVersions(base, mine, theirs);

const report = new Report();
const usual = written(300, 60);
pair(usual, merge); // warm
/** The work and the reference in turns. */
function pair(three: Three, work: (three: Three) => unknown, runs = 9) {
  const times = { measured: [] as number[], reference: [] as number[] };
  for (let run = 0; run < runs; run++) {
    times.measured.push(took(() => work(three)));
    times.reference.push(took(() => readAndWrite(three)));
  }
  return inPairs(times.measured, times.reference, "ms", "read and written as JSON");
}

const { counts } = merge(usual);
report.tell(
  "two 300-block versions merged: blocks of mine, theirs, both, to decide",
  counts.mine + counts.theirs + counts.both,
  "blocks",
  JSON.stringify(counts),
);
// 20 ms where JSON takes 3
report.compare("two 300-block versions, half of the blocks changed, merged", pair(usual, merge, 25), "at most", 6.5);
report.compare("two versions of as many blocks as there may be", pair(written(blockLimits.blocks, 40), merge), "at most", 7);
report.compare(
  "two 300-block versions compared",
  pair(usual, ({ mine, theirs }) => compareVersions(mine, theirs)),
  "at most",
  6,
);

/** 60 ms at most, where JSON takes half a one: texts that make a comparison slow whose time grows with the square of what is alike, or of what differs. */
const hostile: [string, Three, number][] = [
  ["one word, over and over, more of it here and less there", one(many("a "), many("a ").slice(900), `b ${many("a ")}`), 65],
  ["two words in turns, the other way round", one(many("a b "), many("b a b "), many("a a b ")), 120],
  ["all words others, from the same few hundred", one(shuffled(0), shuffled(3_000), shuffled(7_000)), 110],
  ["marks over and over", one(many("<b>a</b> "), many("<i>a</i> "), many("<b>b</b> ")), 100],
  ["signs without a blank", one(many(".,;"), many(";,."), many(",.;")), 140],
];
for (const [name, three, limit] of hostile)
  report.compare(`a block of 50,000 characters: ${name}`, pair(three, merge, 15), "at most", limit);
report.end();
