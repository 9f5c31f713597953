import { blockLimits } from "#contract/blocks/limits.ts";
import type { Block } from "#contract/blocks/schema.ts";
import type { ListItem } from "#contract/blocks/types/list.ts";

export interface ListLine {
  /** 0 for the outermost level; gaps are evened out. */
  depth: number;
  ordered: boolean;
  checked: boolean | null;
  html: string;
}

export type ListBlock = Extract<Block, { type: "list" }>;

export function listBlock(lines: readonly ListLine[]): ListBlock {
  const [first] = lines;
  const isChecklist = first !== undefined && first.checked !== null;
  const style = isChecklist ? "checklist" : first?.ordered ? "ordered" : "unordered";
  return { type: "list", data: { style, meta: {}, items: nested(lines) } };
}

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

export function listLines({ data }: ListBlock): ListLine[] {
  const ordered = data.style === "ordered";
  const linesOf = (items: readonly ListItem[], depth: number): ListLine[] =>
    items.flatMap(({ content, meta, items: below }) => [
      { depth, ordered, checked: meta.checked ?? null, html: content },
      ...linesOf(below, depth + 1),
    ]);
  return linesOf(data.items, 0);
}

/** Inserts lines after line `at`, on its level, or in place of an empty one. Keeps the list's style. `last`: index of the last inserted line. */
export function listWith(list: ListBlock, at: number, lines: readonly ListLine[]): { block: ListBlock; last: number } {
  const present = listLines(list);
  const { depth = 0, html = "" } = present[at] ?? {};
  const isChecklist = list.data.style === "checklist";
  const added = lines.map((line) => ({ ...line, depth: line.depth + depth, checked: isChecklist ? line.checked === true : null }));
  const start = html.replace(/<br>|&nbsp;/g, "").trim() === "" ? at : at + 1;
  const items = nested(present.toSpliced(start, start === at ? 1 : 0, ...added));
  return { block: { type: "list", data: { ...list.data, items } }, last: start + added.length - 1 };
}
