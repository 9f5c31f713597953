import { type Block, typeOf } from "../blocks/block-types.ts";
import { isSameField, type PostContent } from "../rules/post-content.ts";
import type { CoverImage } from "../rules/cover.ts";
import type { PostDetails } from "../rules/post-details.ts";
import { contentKey } from "./blocks.ts";
import { compareBlock, htmlOf, type Note } from "./compare-block.ts";
import { compareText } from "./compare-text.ts";
import { longestRise } from "./longest-rise.ts";
import { changesOf, likenessOf, wordCounts } from "./items.ts";

export interface ComparedBlock {
  where: "same" | "inserted" | "deleted" | "changed";
  before: Block | null;
  after: Block | null;
  moved: boolean;
  html: string;
  notes: Note[];
}

export interface Comparison {
  title: string | null;
  summary: string | null;
  cover_image: { before: CoverImage; after: CoverImage } | null;
  details: { before: PostDetails; after: PostDetails } | null;
  tags: { inserted: string[]; deleted: string[] } | null;
  blocks: ComparedBlock[];
  counts: Record<ComparedBlock["where"] | "moved", number>;
}

export function compareVersions(before: PostContent, after: PostContent): Comparison {
  const blocks = compareBlocks(before.blocks, after.blocks);
  const counts = { same: 0, inserted: 0, deleted: 0, changed: 0, moved: 0 };
  for (const { where, moved } of blocks) {
    counts[where]++;
    if (moved) counts.moved++;
  }
  const inserted = after.tags.filter((tag) => !before.tags.includes(tag));
  const deleted = before.tags.filter((tag) => !after.tags.includes(tag));
  return {
    title: before.title === after.title ? null : compareText(before.title, after.title),
    summary: before.summary === after.summary ? null : compareText(before.summary, after.summary),
    cover_image: isSameField("cover_image", before, after) ? null : { before: before.cover_image, after: after.cover_image },
    details: isSameField("details", before, after) ? null : { before: before.details, after: after.details },
    tags: inserted.length + deleted.length === 0 ? null : { inserted, deleted },
    blocks,
    counts,
  };
}

function compareBlocks(before: readonly Block[], after: readonly Block[]): ComparedBlock[] {
  const partner = pairs(before, after);
  const old = after.flatMap((_, place) => partner.get(place) ?? []);
  const unmoved = new Set(longestRise(old).map((at) => old[at]!));
  const keptIndexes = new Set(old);
  // A deleted block follows its predecessor where that is still in order.
  const removed = new Map<number, ComparedBlock[]>([[-1, []]]);
  let last = -1;
  for (const [place, block] of before.entries()) {
    if (unmoved.has(place)) removed.set((last = place), []);
    else if (!keptIndexes.has(place))
      removed.get(last)!.push({ where: "deleted", before: block, after: null, moved: false, html: htmlOf(block), notes: [] });
  }
  const compared = [...removed.get(-1)!];
  for (const [place, block] of after.entries()) {
    const was = partner.get(place);
    if (was === undefined) compared.push({ where: "inserted", before: null, after: block, moved: false, html: htmlOf(block), notes: [] });
    else compared.push(comparedPair(before[was]!, block, !unmoved.has(was)), ...(removed.get(was) ?? []));
  }
  return compared;
}

function comparedPair(before: Block, after: Block, moved: boolean): ComparedBlock {
  if (contentKey(before) === contentKey(after)) return { where: "same", before, after, moved, html: htmlOf(after), notes: [] };
  return { where: "changed", before, after, moved, ...compareBlock(before, after) };
}

const wordsOf = (block: Block) => wordCounts(typeOf(block).words(block.data).join(" "));

/** Minimum share of common words for blocks without a common id to count as rewritten. */
const alike = 0.5;

/** Index in `before` by index in `after`: by id, or by content for versions without ids. */
function pairs(before: readonly Block[], after: readonly Block[]): Map<number, number> {
  const matches = new Map<number, number>();
  const byId = new Map(before.flatMap(({ id }, place) => (id === undefined ? [] : [[id, place] as const])));
  for (const [place, { id }] of after.entries()) {
    const was = id === undefined ? undefined : byId.get(id);
    if (was !== undefined) matches.set(place, was);
  }
  const matched = new Set(matches.values());
  const [old, now] = [
    before.map((block, place) => ({ block, place })).filter(({ place }) => !matched.has(place)),
    after.map((block, place) => ({ block, place })).filter(({ place }) => !matches.has(place)),
  ];
  const hunks = changesOf(old, now, { key: ({ block }) => contentKey(block) }) ?? [{ from: 0, to: old.length, start: 0, end: now.length }];
  let [i, j] = [0, 0];
  for (const { from, to, start, end } of [...hunks, { from: old.length, to: old.length, start: now.length, end: now.length }]) {
    for (; i < from && j < start; i++, j++) matches.set(now[j]!.place, old[i]!.place);
    if (to - from === 1 && end - start === 1) {
      const [one, other] = [old[from]!, now[start]!];
      if (one.block.type === other.block.type && likenessOf(wordsOf(one.block), wordsOf(other.block)) >= alike)
        matches.set(other.place, one.place);
    }
    [i, j] = [to, end];
  }
  return matches;
}

/**
 * Restores one block to its earlier state; null if there's nothing to restore. A block inserted since is removed; everything else stays.
 */
export function withBlockBack(now: readonly Block[], comparison: Comparison, compared: ComparedBlock): Block[] | null {
  const { where, before, after } = compared;
  if (where === "same") return null;
  const at = after === null ? -1 : now.findIndex((block) => isBlock(block, after));
  if (where === "inserted") return at === -1 ? null : now.toSpliced(at, 1);
  if (where === "changed") return at === -1 ? null : now.with(at, { ...before!, id: now[at]!.id } as Block);
  if (before!.id !== undefined && now.some(({ id }) => id === before!.id)) return null;
  const place = comparison.blocks.indexOf(compared);
  const around = comparison.blocks
    .slice(0, place)
    .findLast((compared) => compared.after !== null && now.some((block) => isBlock(block, compared.after!)));
  return now.toSpliced(around ? now.findIndex((block) => isBlock(block, around.after!)) + 1 : 0, 0, before!);
}

const isBlock = (one: Block, other: Block): boolean => one === other || (one.id !== undefined && one.id === other.id);
