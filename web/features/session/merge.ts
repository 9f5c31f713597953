import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { allChosen, collisionsIn, mergeVersions, settle, undecided } from "#contract/merge/merge-versions.ts";
import type { BlockCollision, Choices, Merge, WholeField } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";
import { changedFields, isSameField, pickFields, type PostContent, type PostFields } from "#contract/rules/post-content.ts";
import { identifiedOf, versionOf } from "./versions.ts";
import type { Writing } from "./write.ts";

export interface OpenConflicts {
  blocks: readonly string[];
  count: number;
}

export interface MergeResult {
  merge: Merge;
  /** New blocks for the editor; null: unchanged. Conflicting parts keep the local text. */
  content: CleanedContent | null;
  fields: Partial<PostFields>;
  /** Common base of the editor and the newer version afterwards; null: the newer version. */
  base: PostContent | null;
  openConflicts: OpenConflicts | null;
  isTheirs: boolean;
}

/** `base`: the common ancestor. Conflicts without a choice keep the local text and stay open. */
export function mergeNewer(base: PostContent | Post, writing: Writing, theirs: Post, choices: Choices | null): MergeResult {
  const before = "content_raw" in base ? versionOf(base) : base;
  const newer = identifiedOf(theirs);
  const mine = mineOf(writing, before);
  const merge = mergeVersions(before, mine, newer);
  const leftOpen = undecided(merge, choices ?? { blocks: {} });
  const open = collisionsIn(merge).filter(({ id }) => leftOpen.blocks.includes(id));
  const all = allChosen(merge, "mine");
  const settled = settle(merge, { ...all, ...choices, blocks: { ...all.blocks, ...choices?.blocks } });
  if (!settled) throw new Error("A decided merge wasn't settled");
  return {
    merge,
    content: isSame(settled.blocks, mine.blocks) ? null : cleanBlocks(settled.blocks, unlimited),
    fields: pickFields(
      settled,
      changedFields(settled, mine).filter((name) => !isSameField(name, settled, writing)),
    ),
    base: leftOpen.count === 0 ? null : baseAfter(newer, before, merge, open, leftOpen.fields),
    openConflicts: leftOpen.count === 0 ? null : { blocks: open.flatMap(({ id, mine }) => (mine ? id : [])), count: leftOpen.count },
    isTheirs: changedFields(settled, newer).length === 0 && isSame(settled.blocks, newer.blocks),
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The editor's content; fields that differ from the base in spelling only count as unchanged. */
const mineOf = (writing: Writing, base: PostContent): PostContent => ({
  ...base,
  ...pickFields(writing, changedFields(writing, base)),
  blocks: writing.content.blocks,
});

/** The newer version with the base's version of open conflicts, so that the next merge finds them again. */
function baseAfter(
  theirs: PostContent,
  base: PostContent,
  merge: Merge,
  open: BlockCollision[],
  openFields: readonly WholeField[],
): PostContent {
  const before = new Map(open.map(({ id, base }) => [id, base]));
  const order = merge.blocks.map((place) => ("collision" in place ? place.collision.id : place.block.id));
  const blocks = theirs.blocks.flatMap((block) => (before.has(block.id ?? "") ? (before.get(block.id ?? "") ?? []) : block));
  for (const { id, base, theirs } of open) {
    if (theirs !== null || base === null) continue;
    const placesById = new Map(blocks.map((block, place) => [block.id, place])); // deleted by them: restore it after the same block
    const above = order.slice(0, order.indexOf(id)).findLast((other) => placesById.has(other));
    blocks.splice(above === undefined ? 0 : placesById.get(above)! + 1, 0, base);
  }
  return { ...theirs, ...pickFields(base, openFields), blocks };
}
