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

/** What is to be decided: blocks that stand on the screen, and how many things in all. */
export interface Open {
  blocks: readonly string[];
  count: number;
}

/** A text and a newer version of it, as one. */
export interface Together {
  merge: Merge;
  /** The blocks for the screen; null: those that stand there. What is to be decided stands as it was written here. */
  content: CleanedContent | null;
  /** Likewise what becomes another of the rest. */
  fields: Partial<Pick<Writing, "title" | "tags" | "summary" | "cover">>;
  /** What the screen and the newer version have in common then; null: all that the newer one says. */
  base: Version | null;
  open: Open | null;
  /** The screen says what the newer version says. */
  isTheirs: boolean;
}

/** `base`: what both were written on. What `choices` leave undecided stays as it was written here, and stays to be decided. */
export function bringTogether(base: Version | Post, writing: Writing, theirs: Post, choices: Choices | null): Together {
  const before = "content_raw" in base ? versionOf(base) : base;
  const newer = identifiedOf(theirs);
  const mine = mineOf(writing, before);
  const merge = mergeVersions(before, mine, newer);
  const left = undecided(merge, choices ?? { blocks: {} });
  const open = collisionsIn(merge).filter(({ id }) => left.blocks.includes(id));
  const shown = settle(merge, { title: "mine", summary: "mine", cover: "mine", ...choices, blocks: choicesFor(merge, choices) });
  if (!shown) throw new Error("A merge was not settled, though all of it was decided");
  return {
    merge,
    content: isSame(shown.blocks, mine.blocks) ? null : cleanBlocks(shown.blocks, unlimited),
    fields: fieldsOf(shown, mine, writing),
    base: left.count === 0 ? null : baseAfter(newer, before, merge, open, left.fields),
    open: left.count === 0 ? null : { blocks: open.flatMap(({ id, mine }) => (mine ? id : [])), count: left.count },
    isTheirs:
      fields.every((field) => isSame(shown[field], newer[field])) && isSame(shown.tags, newer.tags) && isSame(shown.blocks, newer.blocks),
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const collisionsIn = ({ blocks }: Merge): BlockCollision[] =>
  blocks.flatMap((place) => ("collision" in place ? place.collision : []));

const choicesFor = (merge: Merge, choices: Choices | null): Choices["blocks"] =>
  Object.fromEntries(collisionsIn(merge).map(({ id }) => [id, (choices && choiceOf(choices, id)) ?? "mine"]));

/** What is on the screen; what is only spelled otherwise than it is stored was not changed. */
const mineOf = ({ title, summary, cover, tags, content }: Writing, base: Version): Version => ({
  title: title.trim() === base.title ? base.title : title,
  summary: isSameSummary(summary, base.summary) ? base.summary : summary,
  cover: isSameCover(cover, base.cover) ? base.cover : cover,
  tags: isSameTags(tags, base.tags) ? base.tags : tags,
  blocks: content.blocks,
});

function fieldsOf(shown: Version, mine: Version, writing: Writing): Together["fields"] {
  const changed: Together["fields"] = {};
  if (shown.title !== mine.title && shown.title !== writing.title) changed.title = shown.title;
  if (shown.summary !== mine.summary && !isSameSummary(writing.summary, shown.summary)) changed.summary = shown.summary;
  if (!isSameCover(shown.cover, mine.cover)) changed.cover = shown.cover;
  if (!isSameTags(shown.tags, mine.tags)) changed.tags = [...shown.tags];
  return changed;
}

/** The newer version, but for what is to be decided: that is as it was before either changed it, so that it is found again next time. */
function baseAfter(theirs: Version, base: Version, merge: Merge, open: BlockCollision[], openFields: readonly Field[]): Version {
  const before = new Map(open.map(({ id, base }) => [id, base]));
  const order = merge.blocks.map((place) => ("collision" in place ? place.collision.id : place.block.id));
  const blocks: Block[] = theirs.blocks.flatMap((block) => (before.has(block.id ?? "") ? (before.get(block.id ?? "") ?? []) : block));
  for (const { id, base, theirs } of open) {
    if (theirs !== null || base === null) continue;
    const known = new Map(blocks.map((block, place) => [block.id, place])); // deleted there: back behind the block that it stands behind here
    const above = order.slice(0, order.indexOf(id)).findLast((other) => known.has(other));
    blocks.splice(above === undefined ? 0 : known.get(above)! + 1, 0, base);
  }
  return { ...theirs, ...Object.fromEntries(openFields.map((field) => [field, base[field]])), blocks };
}
