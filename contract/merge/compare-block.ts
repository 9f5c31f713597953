import { type Block, typeOf } from "../blocks/block-types.ts";
import { escapeHtml } from "../blocks/text.ts";
import type { ListItem } from "../blocks/types/list.ts";
import { type FlatItem, flatItems, plainly } from "./blocks.ts";
import { compareInline, compareText } from "./compare-text.ts";
import { changesOf } from "./items.ts";

export type Note = "type" | "marks" | "settings";

export interface ComparedContent {
  /** Our own HTML (contract/blocks/html-tree.ts parses it) with `<ins>` and `<del>`. */
  html: string;
  notes: Note[];
}

const place = { base: "", page: false };
export const htmlOf = (block: Block): string => typeOf(block).html(block.data, place);

export function compareBlock(before: Block, after: Block): ComparedContent {
  const notes = new Set<Note>();
  if (before.type !== after.type) notes.add("type");
  if (settingsOf(before) !== settingsOf(after) && before.type === after.type) notes.add("settings");
  const html = isOther(before, after) ? `<del>${htmlOf(before)}</del><ins>${htmlOf(after)}</ins>` : drawn(before, after, notes);
  return { html, notes: [...notes] };
}

const wordFields = new Set(["text", "caption", "alt", "items", "content", "code"]);
const settingsOf = (block: Block): string => JSON.stringify(Object.entries(plainly(block)).filter(([name]) => !wordFields.has(name)));

function isOther(before: Block, after: Block): boolean {
  if (before.type !== after.type) return !("text" in before.data && "text" in after.data);
  return typeOf(before).shows?.thing(before.data) !== typeOf(after).shows?.thing(after.data);
}

function drawn(before: Block, after: Block, notes: Set<Note>): string {
  const inline = (old: string, now: string): string => {
    const { html, marks } = compareInline(old, now);
    if (marks) notes.add("marks");
    return html;
  };
  if (after.type === "code" && before.type === "code")
    return `<pre tabindex="0"><code>${lines(before.data.code, after.data.code)}</code></pre>`;
  if (after.type === "list" && before.type === "list")
    return htmlOf({ ...after, data: { ...after.data, items: items(before.data.items, after.data.items, inline) } });
  if (after.type === "table" && before.type === "table")
    return htmlOf({ ...after, data: { ...after.data, content: rows(before.data.content, after.data.content, inline) } });
  const [old, now] = [before.data as unknown as Record<string, unknown>, { ...after.data } as unknown as Record<string, unknown>];
  let besides = "";
  for (const name of ["text", "caption"]) {
    if (typeof now[name] === "string") now[name] = inline(typeof old[name] === "string" ? old[name] : "", now[name]);
    else if (typeof old[name] === "string" && old[name] !== "") besides += `<p>${inline(old[name], "")}</p>`;
  }
  // Alternative text isn't visible on the page, so it gets a line of its own.
  if (after.type === "image" && before.type === "image" && before.data.alt !== after.data.alt) {
    besides += `<p>${inline(before.data.alt ?? "", after.data.alt ?? "")}</p>`;
  }
  return htmlOf({ ...after, data: now } as unknown as Block) + besides;
}

function aligned<Item>(
  before: readonly Item[],
  after: readonly Item[],
  key: (item: Item) => string,
): [Item | undefined, Item | undefined][] {
  const all = { from: 0, to: before.length, start: 0, end: after.length };
  const pairs: [Item | undefined, Item | undefined][] = [];
  let [i, j] = [0, 0];
  for (const { from, to, start, end } of [
    ...(changesOf(before, after, { key }) ?? [all]),
    { from: before.length, to: before.length, start: after.length, end: after.length },
  ]) {
    for (; i < from && j < start; i++, j++) pairs.push([before[i], after[j]]);
    if (to - from === 1 && end - start === 1) pairs.push([before[from], after[start]]);
    else {
      for (const one of before.slice(from, to)) pairs.push([one, undefined]);
      for (const one of after.slice(start, end)) pairs.push([undefined, one]);
    }
    [i, j] = [to, end];
  }
  return pairs;
}

const lines = (before: string, after: string): string =>
  aligned(before.split("\n"), after.split("\n"), (line) => line)
    .map(([old, now]) => {
      if (old === undefined) return `<ins>${escapeHtml(now || " ")}</ins>`;
      return now === undefined ? `<del>${escapeHtml(old || " ")}</del>` : compareText(old, now);
    })
    .join("\n");

type Inline = (before: string, after: string) => string;

function items(before: readonly ListItem[], after: readonly ListItem[], inline: Inline): ListItem[] {
  const key = ({ depth, content, meta }: FlatItem): string => `${depth} ${meta.checked === true} ${content}`;
  const roots: ListItem[] = [];
  const open = [roots];
  for (const [old, now] of aligned(flatItems(before), flatItems(after), key)) {
    const { depth, meta } = (now ?? old)!;
    const ticked =
      old && now && (old.meta.checked ?? false) !== (now.meta.checked ?? false)
        ? `<ins>${now.meta.checked ? "Ticked" : "Unticked"}:</ins> `
        : "";
    const item: ListItem = { content: ticked + inline(old?.content ?? "", now?.content ?? ""), meta, items: [] };
    const level = Math.min(depth, open.length - 1);
    open[level]!.push(item);
    open.length = level + 1;
    open.push(item.items);
  }
  return roots;
}

function rows(before: readonly string[][], after: readonly string[][], inline: Inline): string[][] {
  const columnsOf = (content: readonly string[][]) =>
    (content[0] ?? []).map((_, column) => ({ column, cells: content.map((row) => row[column] ?? "") }));
  const same = before[0]?.length === after[0]?.length;
  const [old, now] = [columnsOf(before), columnsOf(after)];
  const columns = same ? old.map((one, place) => [one, now[place]] as const) : aligned(old, now, ({ cells }) => cells.join("\n"));
  const shared = columns.filter(([was, is]) => was && is);
  const sharedIn = (side: 0 | 1) => shared.map((pair) => pair[side]!.column);
  const rowsOf = (content: readonly string[][], side: 0 | 1) =>
    content.map((cells) => ({ cells, key: JSON.stringify(shared.length === 0 ? cells : sharedIn(side).map((column) => cells[column])) }));
  return aligned(rowsOf(before, 0), rowsOf(after, 1), ({ key }) => key).map(([was, is]) =>
    columns.map(([oldColumn, newColumn]) =>
      inline((oldColumn && was?.cells[oldColumn.column]) ?? "", (newColumn && is?.cells[newColumn.column]) ?? ""),
    ),
  );
}
