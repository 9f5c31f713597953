import type EditorJS from "@editorjs/editorjs";
import type { Block } from "#contract/blocks/schema.ts";
import { holdsCaret } from "../blocks/editor-blocks.ts";
import { writeBelowBlock } from "../write-below.ts";

/** Places of the blocks that are selected as wholes, from top to bottom. */
export const selectedPlaces = (holder: HTMLElement): number[] =>
  [...holder.querySelectorAll(".ce-block")].flatMap((block, place) => (block.matches(".ce-block--selected") ? [place] : []));

/** Puts blocks in the place of others, of none when there are none; the caret stands where one writes on. */
export function putBlocks(editor: EditorJS, start: number, gone: readonly number[], come: readonly Block[]): void {
  come.forEach(({ type, data }, index) => editor.blocks.insert(type, data, undefined, start + index, false));
  for (const place of gone.toReversed()) editor.blocks.delete(place < start ? place : place + come.length);
  if (come.length === 0) return void (start === 0 ? writeOn(editor, 0, "start") : writeOn(editor, start - 1, "end"));
  const last = start + come.length - 1;
  if (holdsCaret(come.at(-1)!.type)) return void writeOn(editor, last, "end");
  writeBelowBlock(editor, last);
}

function writeOn(editor: EditorJS, place: number, position: "start" | "end"): void {
  editor.caret.setToBlock(place, position);
  editor.caret.setToBlock(place, position); // the first one may only end the rectangle that blocks were selected with
  const block = editor.blocks.getBlockByIndex(place)?.holder;
  if (!block || block.contains(document.activeElement)) return;
  // Editor.js finds no place for its caret in a list that it has just made: who types on would write into nothing.
  const texts = [...block.querySelectorAll<HTMLElement>("[contenteditable=true]")];
  const text = texts.at(position === "start" ? 0 : -1);
  if (text) caretIn(text);
}

/** Puts the caret at the end of a text. */
export function caretIn(text: HTMLElement): void {
  text.focus();
  getSelection()?.selectAllChildren(text);
  getSelection()?.collapseToEnd();
}
