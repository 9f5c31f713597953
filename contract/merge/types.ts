import type { Block } from "../blocks/block-types.ts";
import type { CoverImage } from "../rules/cover.ts";

export interface Version {
  title: string;
  summary: string;
  cover: CoverImage;
  tags: readonly string[];
  blocks: readonly Block[];
}

export type Origin = "same" | "mine" | "theirs" | "both";
export type Choice = "mine" | "theirs" | "both";

/** Conflicting changes of a block; null: deleted on that side (as `base`: new). */
export interface BlockCollision {
  id: string;
  base: Block | null;
  mine: Block | null;
  theirs: Block | null;
}

export type MergedBlock = { origin: Origin; block: Block; moved?: true } | { collision: BlockCollision };
export type MergedField<Value> = { origin: Origin; value: Value } | { collision: { base: Value; mine: Value; theirs: Value } };

export interface Merge {
  title: MergedField<string>;
  summary: MergedField<string>;
  cover: MergedField<CoverImage>;
  tags: { origin: Origin; value: string[] };
  blocks: MergedBlock[];
  counts: { mine: number; theirs: number; both: number; collisions: number };
}

export interface Choices {
  title?: "mine" | "theirs";
  summary?: "mine" | "theirs";
  cover?: "mine" | "theirs";
  blocks: Readonly<Record<string, Choice>>;
}
