import { editorFormatVersion } from "../limits.ts";
import type { Block } from "../blocks/block-types.ts";
import { giveIds } from "../blocks/give-ids.ts";
import type { CleanedContent } from "../blocks/schema.ts";
import { contentKey } from "./blocks.ts";
import { changesOf } from "./items.ts";

export type Identified = Block & { id: string };

export interface IdentifiedSides {
  base: Identified[];
  mine: Identified[];
  theirs: Identified[];
}

/** Gives each block one id on all sides. A base without ids gets those its blocks have now: theirs (saved), else mine. */
export function identify(base: readonly Block[], mine: readonly Block[], theirs: readonly Block[]): IdentifiedSides {
  const sides: { base: Block[]; mine: Identified[]; theirs: Identified[] } = {
    base: own(base),
    mine: withIds(mine),
    theirs: withIds(theirs),
  };
  if (sides.base.some(({ id }) => id === undefined)) {
    const [inMine, inTheirs] = [partners(sides.base, sides.mine), partners(sides.base, sides.theirs)];
    for (const [place, block] of sides.base.entries()) {
      if (block.id !== undefined) continue;
      const [m, t] = [inMine.get(place), inTheirs.get(place)];
      const id = t?.id ?? m?.id;
      if (id === undefined) continue;
      sides.base[place] = { ...block, id };
      if (m) m.id = id;
      if (t) t.id = id;
    }
  }
  return { base: withIds(sides.base), mine: withIds(sides.mine), theirs: withIds(sides.theirs) };
}

function own(blocks: readonly Block[]): Block[] {
  const seen = new Set<string>();
  return blocks.map((block) => {
    const { id, ...rest } = block;
    if (id === undefined || seen.has(id)) return rest as Block;
    seen.add(id);
    return { ...block };
  });
}

function partners(base: readonly Block[], side: readonly Identified[]): Map<number, Identified> {
  const baseIds = new Set(base.flatMap(({ id }) => id ?? []));
  const old = [...base.entries()].filter(([, { id }]) => id === undefined);
  const now = side.filter(({ id }) => !baseIds.has(id));
  const identified = new Map<number, Identified>();
  const hunks = changesOf(
    old,
    now.map((block) => [-1, block] as [number, Block]),
    { key: ([, block]) => contentKey(block) },
  );
  let [i, j] = [0, 0];
  for (const { from, to, start, end } of [
    ...(hunks ?? [{ from: 0, to: old.length, start: 0, end: now.length }]),
    { from: old.length, to: old.length, start: now.length, end: now.length },
  ]) {
    for (; i < from && j < start; i++, j++) identified.set(old[i]![0], now[j]!);
    if (to - from === 1 && end - start === 1 && old[from]![1].type === now[start]!.type) identified.set(old[from]![0], now[start]!);
    [i, j] = [to, end];
  }
  return identified;
}

const withIds = (blocks: readonly Block[]): Identified[] =>
  giveIds({ time: 0, version: editorFormatVersion, blocks: own(blocks) } as unknown as CleanedContent).blocks as Identified[];
