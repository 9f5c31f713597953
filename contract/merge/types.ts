import type { Block } from "../blocks/block-types.ts";
import { type FieldName, fieldNames, type PostContent } from "../rules/post-content.ts";

/** Fields merged as a whole; tags are merged one by one. */
export const wholeFields = fieldNames.filter((name) => name !== "tags");
export type WholeField = Exclude<FieldName, "tags">;

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

export type MergedFields = { [Name in WholeField]: MergedField<PostContent[Name]> };

export interface Merge extends MergedFields {
  tags: { origin: Origin; value: string[] };
  blocks: MergedBlock[];
  counts: { mine: number; theirs: number; both: number; collisions: number };
}

export interface Choices extends Partial<Record<WholeField, "mine" | "theirs">> {
  blocks: Readonly<Record<string, Choice>>;
}
