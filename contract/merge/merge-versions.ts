import { editorFormatVersion } from "../limits.ts";
import type { Block } from "../blocks/block-types.ts";
import { giveIds } from "../blocks/give-ids.ts";
import type { CleanedContent } from "../blocks/schema.ts";
import { contentKey, mergeBlock } from "./blocks.ts";
import { type Identified, identify } from "./identify.ts";
import { mergeOrder } from "./order.ts";
import { isSameField, type PostContent } from "../rules/post-content.ts";
import {
  type BlockCollision,
  type Choice,
  type Choices,
  type Merge,
  type MergedBlock,
  type MergedField,
  type MergedFields,
  type Origin,
  type WholeField,
  wholeFields,
} from "./types.ts";

export function mergeVersions(base: PostContent, mine: PostContent, theirs: PostContent): Merge {
  const fields = byField((name) => mergeField(name, base, mine, theirs));
  const tags = mergeTags(base.tags, mine.tags, theirs.tags);
  const { blocks, deleted } = mergeBlocks(base.blocks, mine.blocks, theirs.blocks);

  const counts = { mine: 0, theirs: 0, both: 0, collisions: 0 };
  for (const one of [...Object.values(fields), tags, ...blocks, ...deleted]) {
    if ("collision" in one) counts.collisions++;
    else if (one.origin !== "same") counts[one.origin]++;
  }
  return { ...(fields as MergedFields), tags, blocks, counts };
}

const byField = <Value>(make: (name: WholeField) => Value): Record<WholeField, Value> =>
  Object.fromEntries(wholeFields.map((name) => [name, make(name)])) as Record<WholeField, Value>;

function mergeField(name: WholeField, base: PostContent, mine: PostContent, theirs: PostContent): MergedField<unknown> {
  const isSame = (one: PostContent, other: PostContent): boolean => isSameField(name, one, other);
  if (isSame(mine, theirs)) return { origin: isSame(mine, base) ? "same" : "both", value: mine[name] };
  if (isSame(theirs, base)) return { origin: "mine", value: mine[name] };
  if (isSame(mine, base)) return { origin: "theirs", value: theirs[name] };
  return { collision: { base: base[name], mine: mine[name], theirs: theirs[name] } };
}

function mergeTags(base: readonly string[], mine: readonly string[], theirs: readonly string[]): Merge["tags"] {
  const [old, ours, others] = [new Set(base), new Set(mine), new Set(theirs)];
  const isIn = (tag: string): boolean => (old.has(tag) ? ours.has(tag) && others.has(tag) : ours.has(tag) || others.has(tag));
  const value = [...new Set([...mine, ...theirs])].filter(isIn);
  const changed = (side: ReadonlySet<string>): boolean => side.size !== old.size || [...side].some((tag) => !old.has(tag));
  const isAlike = ours.size === others.size && [...ours].every((tag) => others.has(tag));
  return { origin: isAlike && changed(ours) ? "both" : originOf(changed(ours), changed(others)), value };
}

const originOf = (byMine: boolean, byTheirs: boolean): Origin => (byMine ? (byTheirs ? "both" : "mine") : byTheirs ? "theirs" : "same");

interface Three {
  base: Identified | undefined;
  mine: Identified | undefined;
  theirs: Identified | undefined;
}

type Content = { block: Block; byMine: boolean; byTheirs: boolean } | { collision: BlockCollision } | { deleted: Origin };

function contentOf(id: string, { base, mine, theirs }: Three): Content {
  const collision = { collision: { id, base: base ?? null, mine: mine ?? null, theirs: theirs ?? null } };
  const [was, own, other] = [base, mine, theirs].map((block) => block && contentKey(block));
  if (!mine && !theirs) return { deleted: "both" };
  if (!theirs) return !base ? { block: mine!, byMine: true, byTheirs: false } : own === was ? { deleted: "theirs" } : collision;
  if (!mine) return !base ? { block: theirs, byMine: false, byTheirs: true } : other === was ? { deleted: "mine" } : collision;
  if (own === other) return { block: mine, byMine: own !== was, byTheirs: own !== was };
  if (!base) return collision;
  if (other === was) return { block: mine, byMine: true, byTheirs: false };
  if (own === was) return { block: theirs, byMine: false, byTheirs: true };
  const block = mergeBlock(base, mine, theirs);
  return block ? { block, byMine: true, byTheirs: true } : collision;
}

function mergeBlocks(base: readonly Block[], mine: readonly Block[], theirs: readonly Block[]) {
  const sides = identify(base, mine, theirs);
  const byId = (blocks: Identified[]) => new Map(blocks.map((block) => [block.id, block]));
  const [old, ours, others] = [byId(sides.base), byId(sides.mine), byId(sides.theirs)];
  const contents = new Map<string, Content>();
  const deleted: { origin: Origin }[] = [];
  for (const id of new Set([...old.keys(), ...ours.keys(), ...others.keys()])) {
    const content = contentOf(id, { base: old.get(id), mine: ours.get(id), theirs: others.get(id) });
    if ("deleted" in content) deleted.push({ origin: content.deleted });
    else contents.set(id, content);
  }
  const order = mergeOrder({ base: [...old.keys()], mine: [...ours.keys()], theirs: [...others.keys()] }, new Set(contents.keys()));
  const blocks = order.ids.map((id): MergedBlock => {
    const content = contents.get(id)!;
    if (!("block" in content)) return content as { collision: BlockCollision };
    const by = order.movedBy.get(id);
    const origin = originOf(content.byMine || by === "mine" || by === "both", content.byTheirs || by === "theirs" || by === "both");
    return { origin, block: content.block, ...(order.contested.has(id) && { moved: true as const }) };
  });
  return { blocks, deleted };
}

export interface Undecided {
  fields: WholeField[];
  blocks: string[];
  count: number;
}

/** Own property check: an id can be any word, even `constructor`. */
export const choiceOf = ({ blocks }: Choices, id: string): Choice | undefined => (Object.hasOwn(blocks, id) ? blocks[id] : undefined);

export function undecided(merge: Merge, choices: Choices): Undecided {
  const fields = wholeFields.filter((name) => "collision" in merge[name] && choices[name] === undefined);
  const blocks = merge.blocks.flatMap((one) =>
    "collision" in one && choiceOf(choices, one.collision.id) === undefined ? [one.collision.id] : [],
  );
  return { fields, blocks, count: fields.length + blocks.length };
}

export const collisionsIn = ({ blocks }: Merge): BlockCollision[] =>
  blocks.flatMap((place) => ("collision" in place ? place.collision : []));

/** Every collision decided for one side. */
export const allChosen = (merge: Merge, side: "mine" | "theirs"): Choices => ({
  ...byField(() => side),
  blocks: Object.fromEntries(collisionsIn(merge).map(({ id }) => [id, side])),
});

/** The merged version; null while undecided. For "both", theirs comes first, as with insertions. */
export function settle(merge: Merge, choices: Choices): PostContent | null {
  if (undecided(merge, choices).count > 0) return null;
  const settled = (name: WholeField): unknown => {
    const field = merge[name];
    return "collision" in field ? field.collision[choices[name] ?? "mine"] : field.value;
  };
  const blocks = merge.blocks.flatMap((one): Block[] => {
    if (!("collision" in one)) return [one.block];
    const { id, mine, theirs } = one.collision;
    const choice = choiceOf(choices, id);
    const chosen = choice === "mine" ? [mine] : choice === "theirs" ? [theirs] : [theirs, mine];
    // Two blocks with one id: the second gets a new one.
    return chosen
      .filter((block) => block !== null)
      .map((block, place) => (place === 0 ? block : ({ type: block.type, data: block.data } as Block)));
  });
  return {
    ...(byField(settled) as Pick<PostContent, WholeField>),
    tags: merge.tags.value,
    blocks: giveIds({ time: 0, version: editorFormatVersion, blocks } as unknown as CleanedContent).blocks,
  };
}
