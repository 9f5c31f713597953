import type EditorJS from "@editorjs/editorjs";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { allBlocks } from "../blocks/editor-blocks.ts";
import { addressOf } from "../addresses.ts";
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
 * Puts into the text what was pasted: in the place of what is selected, a piece of a line at the caret, items into a list, cells into a table,
 * anything else as blocks below the block of the caret or in the place of an empty one.
 */
export async function insertPasted(holder: HTMLElement, editor: EditorJS, pasted: Pasted, touched: Element): Promise<void> {
  const target = touched.closest(texts) ?? touched; // what is inside may go with the selection
  const selected = selectedPlaces(holder);
  const blocks = pasted.blocks.map(asPasted);
  if (selected.length > 0) return putBlocks(editor, selected[0]!, selected, blocks);
  const href = pasted.kind === "blocks" ? null : addressOf(pasted.text.trim());
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
  const ofLine = isEmpty && pasted.kind !== "blocks" ? blockOfLine(pasted.text.trim()) : null;
  if (ofLine !== null) return putBlocks(editor, place, [place], [ofLine]);
  const inLine = !target.matches(texts) ? null : wordsAt(pasted, isEmpty, isIn);
  if (inLine !== null) return void document.execCommand("insertHTML", false, inLine);
  putBlocks(editor, isEmpty ? place : place + 1, isEmpty ? [place] : [], blocks);
}

/** An address pasted over words is their link. */
function linkWords(words: Range, href: string): void {
  const around = words.commonAncestorContainer;
  const link = (around instanceof Element ? around : around.parentElement)?.closest("a");
  if (link) link.setAttribute("href", href);
  else {
    const made = linkElement(href);
    wrap(words, made);
    putCaretAfter(made);
  }
}

/** Images of other sites are copied when they are pasted (../blocks/image.ts), not when a post with them is opened. */
function asPasted(block: Block): Block {
  const data = { ...block.data, isPasted: true };
  return block.type === "image" ? ({ ...block, data } as Block) : block;
}

const isList = (block: Block): block is ListBlock => block.type === "list";

/** The block that a line is by itself, cleaned; null for an ordinary one. */
function blockOfLine(line: string): Block | null {
  for (const [type, { ofLine }] of allBlocks) {
    const data = ofLine?.(line) ?? null;
    if (data !== null) return cleanBlocks([{ type, data }], unlimited).blocks[0] ?? null;
  }
  return null;
}

/** What goes in at the caret, as inline HTML; null when it comes as blocks. */
function wordsAt({ kind, blocks, text }: Pasted, isEmpty: boolean, isIn: (where: string) => boolean): string | null {
  if (kind === "blocks") return null;
  // A line that could be Markdown is text where there is text already: "> 5 ms".
  const line = text.replace(/^[\r\n]+|[\r\n]+$/g, "");
  const isLine = kind === "markdown" && !isEmpty && !/[\r\n]/.test(line);
  const plain = isLine ? textBlocks(line) : kind === "markdown" && isIn(`${cells}, ${captions}`) ? textBlocks(text) : blocks;
  const [only] = plain;
  if (plain.length === 1 && (only?.type === "paragraph" || (only?.type === "header" && !isEmpty))) return only.data.text;
  const lines = plain.flatMap(blockLines).join("<br>");
  if (isIn(`${cells}, ${captions}`) && inlineText(lines).trim() !== "") return lines;
  return isIn(".cdx-quote__text") && plain.every(({ type }) => type === "paragraph") ? lines : null;
}

/** The block that something is pasted into; Editor.js' own one when the browser does not say. */
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
  const now = replace(editor, place, block);
  const text = now?.querySelectorAll<HTMLElement>(listItems)[last];
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
  const now = block && replace(editor, place, block);
  const last = now?.querySelectorAll(".tc-row")[row + added.length - 1]?.querySelectorAll<HTMLElement>(cells)[
    column + added[0]!.length - 1
  ];
  if (last) caretIn(last);
}

function replace(editor: EditorJS, place: number, block: Block): HTMLElement | undefined {
  replaceBlock(editor, place, block);
  return editor.blocks.getBlockByIndex(place)?.holder;
}
