import { blockLimits } from "#contract/blocks/limits.ts";
import type { Block } from "#contract/blocks/schema.ts";
import type { ListItem } from "#contract/blocks/types/list.ts";

/** One line of a list that is being pasted. */
export interface ListLine {
  /** 0 for the outermost level; jumps are evened out. */
  depth: number;
  ordered: boolean;
  /** Null for an ordinary item. */
  checked: boolean | null;
  html: string;
}

export type ListBlock = Extract<Block, { type: "list" }>;

/** Lines as one list block, items below items; the first line decides what kind of list it is. */
export function listBlock(lines: readonly ListLine[]): ListBlock {
  const [first] = lines;
  const isChecklist = first !== undefined && first.checked !== null;
  const style = isChecklist ? "checklist" : first?.ordered ? "ordered" : "unordered";
  return { type: "list", data: { style, meta: {}, items: nested(lines) } };
}

/** Each line below the nearest one before it that is less deep; none deeper than a post may hold. */
function nested(lines: readonly ListLine[]): ListItem[] {
  const root: ListItem[] = [];
  const open: { depth: number; items: ListItem[] }[] = [];
  for (const { depth, checked, html } of lines) {
    const item: ListItem = { content: html, meta: checked === null ? {} : { checked }, items: [] };
    while (open.length > 0 && (open.at(-1)!.depth >= depth || open.length >= blockLimits.listDepth)) open.pop();
    (open.at(-1)?.items ?? root).push(item);
    open.push({ depth, items: item.items });
  }
  return root;
}

/** The lines of a list block from top to bottom. */
export function listLines({ data }: ListBlock): ListLine[] {
  const ordered = data.style === "ordered";
  const linesOf = (items: readonly ListItem[], depth: number): ListLine[] =>
    items.flatMap(({ content, meta, items: below }) => [
      { depth, ordered, checked: meta.checked ?? null, html: content },
      ...linesOf(below, depth + 1),
    ]);
  return linesOf(data.items, 0);
}

/**
 * A list with other lines behind its line `at`, on that line's level; an empty line gives way to them. It stays the kind of list it was.
 * `last` is the place of the last of them.
 */
export function listWith(list: ListBlock, at: number, lines: readonly ListLine[]): { block: ListBlock; last: number } {
  const present = listLines(list);
  const { depth = 0, html = "" } = present[at] ?? {};
  const isChecklist = list.data.style === "checklist";
  const added = lines.map((line) => ({ ...line, depth: line.depth + depth, checked: isChecklist ? line.checked === true : null }));
  const start = html.replace(/<br>|&nbsp;/g, "").trim() === "" ? at : at + 1;
  const items = nested(present.toSpliced(start, start === at ? 1 : 0, ...added));
  return { block: { type: "list", data: { ...list.data, items } }, last: start + added.length - 1 };
}
