import type EditorJS from "@editorjs/editorjs";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { allBlocks } from "../blocks/editor-blocks.ts";
import { linkOf } from "../addresses.ts";
import { linkElement, selectedPiece, wrap } from "../marks.ts";
import { putCaretAfter } from "../text-at-caret.ts";
import { blockLines } from "./block-lines.ts";
import { type Pasted, textBlocks } from "./clipboard.ts";
import { caretIn, putBlocks, selectedPlaces } from "./insert-blocks.ts";
import { type ListBlock, listLines, listWith } from "./list-block.ts";
import { tableWith } from "./table-block.ts";
import { replaceBlock } from "../replace-block.ts";

const listItems = ".cdx-list__item-content";
const cells = ".tc-cell";
const captions = ".cdx-quote__caption, .image-tool__caption";
const texts = "[contenteditable=true]";

/**
 * Inserts pasted content: replaces the selection, else inserts text at the caret, items into a list, cells into a table, or blocks below the
 * current block (or in place of an empty one).
 */
export async function insertPasted(holder: HTMLElement, editor: EditorJS, pasted: Pasted, touched: Element): Promise<void> {
  const target = touched.closest(texts) ?? touched; // inner elements may be deleted with the selection
  const selected = selectedPlaces(holder);
  const blocks = pasted.blocks.map(asPasted);
  if (selected.length > 0) return putBlocks(editor, selected[0]!, selected, blocks);
  const href = pasted.kind === "blocks" ? null : linkOf(pasted.text.trim());
  const words = href === null ? null : selectedPiece(holder);
  if (href !== null && words !== null && words.toString().trim() !== "") return linkWords(words, href);
  if (getSelection()?.isCollapsed === false) document.execCommand("delete");

  const place = placeOf(holder, editor, target);
  const isIn = (where: string) => target.closest(where) !== null;
  if (isIn(listItems) && blocks.every(isList)) return await insertItems(editor, place, target.closest(listItems)!, blocks);
  const [only] = blocks;
  if (isIn(cells) && only?.type === "table" && blocks.length === 1)
    return await insertCells(editor, place, target.closest(cells)!, only.data.content);
  const isEmpty = target.closest(".ce-paragraph")?.textContent.trim() === "";
  const fromLine = isEmpty && pasted.kind !== "blocks" ? blockOfLine(pasted.text.trim()) : null;
  if (fromLine !== null) return putBlocks(editor, place, [place], [fromLine]);
  const inLine = !target.matches(texts) ? null : wordsAt(pasted, isEmpty, isIn);
  if (inLine !== null) return void document.execCommand("insertHTML", false, inLine);
  putBlocks(editor, isEmpty ? place : place + 1, isEmpty ? [place] : [], blocks);
}

function linkWords(words: Range, href: string): void {
  const around = words.commonAncestorContainer;
  const link = (around instanceof Element ? around : around.parentElement)?.closest("a");
  if (link) link.setAttribute("href", href);
  else {
    const element = linkElement(href);
    wrap(words, element);
    putCaretAfter(element);
  }
}

/** Marks images as pasted: these are copied into Storage (../blocks/image.ts), others aren't. */
function asPasted(block: Block): Block {
  const data = { ...block.data, isPasted: true };
  return block.type === "image" ? ({ ...block, data } as Block) : block;
}

const isList = (block: Block): block is ListBlock => block.type === "list";

function blockOfLine(line: string): Block | null {
  for (const [type, { fromLine }] of allBlocks) {
    const data = fromLine?.(line) ?? null;
    if (data !== null) return cleanBlocks([{ type, data }], unlimited).blocks[0] ?? null;
  }
  return null;
}

function wordsAt({ kind, blocks, text }: Pasted, isEmpty: boolean, isIn: (where: string) => boolean): string | null {
  if (kind === "blocks") return null;
  // In existing text, a line that looks like Markdown ("> 5 ms") is text.
  const line = text.replace(/^[\r\n]+|[\r\n]+$/g, "");
  const isLine = kind === "markdown" && !isEmpty && !/[\r\n]/.test(line);
  const plain = isLine ? textBlocks(line) : kind === "markdown" && isIn(`${cells}, ${captions}`) ? textBlocks(text) : blocks;
  const [only] = plain;
  if (plain.length === 1 && (only?.type === "paragraph" || (only?.type === "header" && !isEmpty))) return only.data.text;
  const lines = plain.flatMap(blockLines).join("<br>");
  if (isIn(`${cells}, ${captions}`) && inlineText(lines).trim() !== "") return lines;
  return isIn(".cdx-quote__text") && plain.every(({ type }) => type === "paragraph") ? lines : null;
}

/** Index of the target's block; the editor's current one if the browser reports none. */
function placeOf(holder: HTMLElement, editor: EditorJS, target: Element): number {
  const place = [...holder.querySelectorAll(".ce-block")].indexOf(target.closest(".ce-block")!);
  return place === -1 ? Math.max(0, editor.blocks.getCurrentBlockIndex()) : place;
}

async function insertItems(editor: EditorJS, place: number, item: Element, lists: readonly ListBlock[]): Promise<void> {
  const holder = item.closest(".ce-block")!;
  const at = [...holder.querySelectorAll(listItems)].indexOf(item);
  const list = cleanBlocks([await savedAt(editor, place)], unlimited).blocks.find(isList);
  if (!list) return;
  const { block, last } = listWith(list, at, lists.flatMap(listLines));
  const element = replace(editor, place, block);
  const text = element?.querySelectorAll<HTMLElement>(listItems)[last];
  if (text) caretIn(text);
}

async function savedAt(editor: EditorJS, place: number): Promise<object> {
  const block = editor.blocks.getBlockByIndex(place);
  return { type: block?.name, data: (await block?.save())?.data };
}

async function insertCells(editor: EditorJS, place: number, cell: Element, added: readonly string[][]): Promise<void> {
  const rows = [...cell.closest(".ce-block")!.querySelectorAll(".tc-row")].map((row) => [...row.querySelectorAll(cells)]);
  const row = rows.findIndex((one) => one.includes(cell));
  const column = rows[row]?.indexOf(cell) ?? 0;
  const content = tableWith(
    rows.map((one) => one.map(({ innerHTML }) => innerHTML)),
    { row, column },
    added,
  );
  const saved = await savedAt(editor, place);
  const [block] = cleanBlocks([{ ...saved, data: { ...("data" in saved ? (saved.data as object) : {}), content } }], unlimited).blocks;
  const element = block && replace(editor, place, block);
  const last = element?.querySelectorAll(".tc-row")[row + added.length - 1]?.querySelectorAll<HTMLElement>(cells)[
    column + added[0]!.length - 1
  ];
  if (last) caretIn(last);
}

function replace(editor: EditorJS, place: number, block: Block): HTMLElement | undefined {
  replaceBlock(editor, place, block);
  return editor.blocks.getBlockByIndex(place)?.holder;
}
