import type { Block } from "../blocks/block-types.ts";
import type { CoverImage } from "../rules/cover.ts";

/** A post's text as one side has it. Every block has an id of its own. */
export interface Version {
  title: string;
  summary: string;
  cover: CoverImage;
  tags: readonly string[];
  blocks: readonly Block[];
}

/** Where something settled comes from: neither side changed it, one did, or both, without contradiction. */
export type Origin = "same" | "mine" | "theirs" | "both";
export type Choice = "mine" | "theirs" | "both";

/** A block that both sides changed in ways that do not go together; null: that side deleted it (or, as `base`, it is new). */
export interface BlockCollision {
  /** The block's id; the same on both sides. */
  id: string;
  base: Block | null;
  mine: Block | null;
  theirs: Block | null;
}

/** One place of the merged text, in order. `moved`: both moved it to different places, mine counts. */
export type MergedBlock = { origin: Origin; block: Block; moved?: true } | { collision: BlockCollision };
export type MergedField<Value> = { origin: Origin; value: Value } | { collision: { base: Value; mine: Value; theirs: Value } };

export interface Merge {
  title: MergedField<string>;
  summary: MergedField<string>;
  cover: MergedField<CoverImage>;
  /** Sets merge by themselves: what one side added is there, what one side took away is not. */
  tags: { origin: Origin; value: string[] };
  blocks: MergedBlock[];
  /** How many blocks and fields come from each side, deleted ones included, and how many are to be decided. */
  counts: { mine: number; theirs: number; both: number; collisions: number };
}

/** What the person decided: by block id, and by field. What is absent is not decided yet. */
export interface Choices {
  title?: "mine" | "theirs";
  summary?: "mine" | "theirs";
  cover?: "mine" | "theirs";
  blocks: Readonly<Record<string, Choice>>;
}
