import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { choiceOf, mergeVersions, settle, undecided } from "#contract/merge/merge-versions.ts";
import type { BlockCollision, Choices, Merge, Version } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";
import { identifiedOf, versionOf } from "./versions.ts";
import { isSameCover, isSameSummary, isSameTags, type Writing } from "./write.ts";

type Block = Version["blocks"][number];
type Field = "title" | "summary" | "cover";
const fields = ["title", "summary", "cover"] as const;

export interface OpenConflicts {
  blocks: readonly string[];
  count: number;
}

export interface MergeResult {
  merge: Merge;
  /** New blocks for the editor; null: unchanged. Conflicting parts keep the local text. */
  content: CleanedContent | null;
  fields: Partial<Pick<Writing, "title" | "tags" | "summary" | "cover">>;
  /** Common base of the editor and the newer version afterwards; null: the newer version. */
  base: Version | null;
  openConflicts: OpenConflicts | null;
  isTheirs: boolean;
}

/** `base`: the common ancestor. Conflicts without a choice keep the local text and stay open. */
export function mergeNewer(base: Version | Post, writing: Writing, theirs: Post, choices: Choices | null): MergeResult {
  const before = "content_raw" in base ? versionOf(base) : base;
  const newer = identifiedOf(theirs);
  const mine = mineOf(writing, before);
  const merge = mergeVersions(before, mine, newer);
  const leftOpen = undecided(merge, choices ?? { blocks: {} });
  const open = collisionsIn(merge).filter(({ id }) => leftOpen.blocks.includes(id));
  const settled = settle(merge, { title: "mine", summary: "mine", cover: "mine", ...choices, blocks: choicesFor(merge, choices) });
  if (!settled) throw new Error("A decided merge wasn't settled");
  return {
    merge,
    content: isSame(settled.blocks, mine.blocks) ? null : cleanBlocks(settled.blocks, unlimited),
    fields: fieldsOf(settled, mine, writing),
    base: leftOpen.count === 0 ? null : baseAfter(newer, before, merge, open, leftOpen.fields),
    openConflicts: leftOpen.count === 0 ? null : { blocks: open.flatMap(({ id, mine }) => (mine ? id : [])), count: leftOpen.count },
    isTheirs:
      fields.every((field) => isSame(settled[field], newer[field])) &&
      isSame(settled.tags, newer.tags) &&
      isSame(settled.blocks, newer.blocks),
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const collisionsIn = ({ blocks }: Merge): BlockCollision[] =>
  blocks.flatMap((place) => ("collision" in place ? place.collision : []));

const choicesFor = (merge: Merge, choices: Choices | null): Choices["blocks"] =>
  Object.fromEntries(collisionsIn(merge).map(({ id }) => [id, (choices && choiceOf(choices, id)) ?? "mine"]));

/** The editor's content; differences in spelling only, such as spaces, count as unchanged. */
const mineOf = ({ title, summary, cover, tags, content }: Writing, base: Version): Version => ({
  title: title.trim() === base.title ? base.title : title,
  summary: isSameSummary(summary, base.summary) ? base.summary : summary,
  cover: isSameCover(cover, base.cover) ? base.cover : cover,
  tags: isSameTags(tags, base.tags) ? base.tags : tags,
  blocks: content.blocks,
});

function fieldsOf(shown: Version, mine: Version, writing: Writing): MergeResult["fields"] {
  const changed: MergeResult["fields"] = {};
  if (shown.title !== mine.title && shown.title !== writing.title) changed.title = shown.title;
  if (shown.summary !== mine.summary && !isSameSummary(writing.summary, shown.summary)) changed.summary = shown.summary;
  if (!isSameCover(shown.cover, mine.cover)) changed.cover = shown.cover;
  if (!isSameTags(shown.tags, mine.tags)) changed.tags = [...shown.tags];
  return changed;
}

/** The newer version with the base's version of open conflicts, so that the next merge finds them again. */
function baseAfter(theirs: Version, base: Version, merge: Merge, open: BlockCollision[], openFields: readonly Field[]): Version {
  const before = new Map(open.map(({ id, base }) => [id, base]));
  const order = merge.blocks.map((place) => ("collision" in place ? place.collision.id : place.block.id));
  const blocks: Block[] = theirs.blocks.flatMap((block) => (before.has(block.id ?? "") ? (before.get(block.id ?? "") ?? []) : block));
  for (const { id, base, theirs } of open) {
    if (theirs !== null || base === null) continue;
    const placesById = new Map(blocks.map((block, place) => [block.id, place])); // deleted by them: restore it after the same block
    const above = order.slice(0, order.indexOf(id)).findLast((other) => placesById.has(other));
    blocks.splice(above === undefined ? 0 : placesById.get(above)! + 1, 0, base);
  }
  return { ...theirs, ...Object.fromEntries(openFields.map((field) => [field, base[field]])), blocks };
}
