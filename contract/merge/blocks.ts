import { type Block, typeOf } from "../blocks/block-types.ts";
import { unlimited } from "../blocks/clean.ts";
import type { Unknown } from "../blocks/read.ts";
import type { ListItem } from "../blocks/types/list.ts";
import { mergeItems } from "./items.ts";
import { hasItsWords, mergeInline, mergeText } from "./merge-text.ts";

export const contentKey = (block: Block): string => JSON.stringify([block.type, plainly(block)]);

/** Drops defaults that only some writers store, such as an unticked item. */
export function plainly({ type, data }: Block): Unknown {
  if (type !== "list") return data as unknown as Unknown;
  const { start, counterType } = data.meta;
  const meta = {
    ...(start !== undefined && start !== 1 && { start }),
    ...(counterType !== undefined && counterType !== "numeric" && { counterType }),
  };
  return { style: data.style, meta, items: plainItems(data.items) };
}

const plainItems = (items: readonly ListItem[]): ListItem[] =>
  items.map(({ content, meta, items: below }) => ({ content, meta: meta.checked ? { checked: true } : {}, items: plainItems(below) }));

const same = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);

export function mergeBlock(base: Block, mine: Block, theirs: Block): Block | null {
  if (mine.type !== base.type || theirs.type !== base.type) return null;
  const sides = { base: plainly(base), mine: plainly(mine), theirs: plainly(theirs) };
  const together: readonly string[] = typeOf(base).shows?.together ?? [];
  if (together.some((one) => together.some((other) => one !== other && torn(sides, one, other)))) return null;
  const data: Unknown = {};
  for (const name of new Set(Object.values(sides).flatMap(Object.keys))) {
    const merged = mergeField(base.type, name, sides.base[name], sides.mine[name], sides.theirs[name]);
    if (merged === collides) return null;
    if (merged !== undefined) data[name] = merged;
  }
  // Cleaning must not change the merged block: only what one of the two wrote is shown.
  const cleaned = typeOf(base).clean(data, unlimited);
  if (cleaned === null || !sameFields(cleaned as unknown as Unknown, data)) return null;
  const merged = { id: mine.id, type: base.type, data: cleaned } as Block;
  return hasItsWords(wordsOf(base), wordsOf(mine), wordsOf(theirs), wordsOf(merged)) ? merged : null;
}

const wordsOf = (block: Block): string => typeOf(block).words(block.data).join("\n");

interface Sides {
  base: Unknown;
  mine: Unknown;
  theirs: Unknown;
}
const torn = ({ base, mine, theirs }: Sides, one: string, other: string): boolean =>
  !same(base[one], mine[one]) && same(base[one], theirs[one]) && !same(base[other], theirs[other]) && same(base[other], mine[other]);

const sameFields = (one: Unknown, other: Unknown): boolean =>
  Object.keys(one).length === Object.keys(other).length && Object.entries(one).every(([name, value]) => same(value, other[name]));

const collides = Symbol("collides");

function mergeField(type: Block["type"], name: string, base: unknown, mine: unknown, theirs: unknown): unknown {
  const picked = pick(base, mine, theirs);
  if (picked !== collides) return picked;
  if (typeof base === "string" && typeof mine === "string" && typeof theirs === "string") {
    if (name === "text" || name === "caption") return mergeInline(base, mine, theirs) ?? collides;
    if (name === "code") return mergeLines(base, mine, theirs) ?? collides;
  }
  if (type === "list" && name === "items") return mergeList(base as ListItem[], mine as ListItem[], theirs as ListItem[]) ?? collides;
  if (type === "table" && name === "content") return mergeRows(base as string[][], mine as string[][], theirs as string[][]) ?? collides;
  return collides;
}

function mergeLines(base: string, mine: string, theirs: string): string | null {
  const lines = (code: string): string[] => code.split("\n");
  return mergeItems(lines(base), lines(mine), lines(theirs), { key: (line) => line, mergeOne: mergeText })?.join("\n") ?? null;
}

export interface FlatItem {
  depth: number;
  content: string;
  meta: ListItem["meta"];
}

export const flatItems = (items: readonly ListItem[], depth = 0): FlatItem[] =>
  items.flatMap(({ content, meta, items: below }) => [{ depth, content, meta }, ...flatItems(below, depth + 1)]);

function nestedItems(flat: readonly FlatItem[]): ListItem[] | null {
  const roots: ListItem[] = [];
  const open = [roots];
  for (const { depth, content, meta } of flat) {
    const level = open[depth];
    if (level === undefined) return null;
    const item: ListItem = { content, meta, items: [] };
    level.push(item);
    open.length = depth + 1;
    open.push(item.items);
  }
  return roots;
}

function mergeItem(base: FlatItem, mine: FlatItem, theirs: FlatItem): FlatItem | null {
  const content = mergeInline(base.content, mine.content, theirs.content);
  const depth = pick(base.depth, mine.depth, theirs.depth);
  const meta = pick(base.meta, mine.meta, theirs.meta);
  return content === null || depth === collides || meta === collides ? null : { depth, content, meta };
}

const pick = <Value>(base: Value, mine: Value, theirs: Value): Value | typeof collides => {
  if (same(mine, theirs) || same(theirs, base)) return mine;
  return same(mine, base) ? theirs : collides;
};

function mergeList(base: ListItem[], mine: ListItem[], theirs: ListItem[]): ListItem[] | null {
  const key = ({ depth, content, meta }: FlatItem): string => `${depth} ${meta.checked === true} ${content}`;
  const merged = mergeItems(flatItems(base), flatItems(mine), flatItems(theirs), { key, mergeOne: mergeItem });
  return merged && nestedItems(merged);
}

/** Row by row, then cell by cell. Added or removed columns are a conflict. */
function mergeRows(base: string[][], mine: string[][], theirs: string[][]): string[][] | null {
  const columns = base[0]?.length;
  if ([mine, theirs].some((rows) => rows[0]?.length !== columns)) return null;
  const mergeOne = (was: string[], own: string[], other: string[]): string[] | null => {
    const cells = was.map((cell, column) => mergeInline(cell, own[column] ?? "", other[column] ?? ""));
    return cells.every((cell) => cell !== null) ? cells : null;
  };
  return mergeItems(base, mine, theirs, { key: (row) => JSON.stringify(row), mergeOne });
}
