import type EditorJS from "@editorjs/editorjs";
import type { Block } from "#contract/blocks/schema.ts";
import { holdsCaret } from "../blocks/editor-blocks.ts";
import { writeBelowBlock } from "../write-below.ts";

export const selectedPlaces = (holder: HTMLElement): number[] =>
  [...holder.querySelectorAll(".ce-block")].flatMap((block, place) => (block.matches(".ce-block--selected") ? [place] : []));

export function putBlocks(editor: EditorJS, start: number, removed: readonly number[], inserted: readonly Block[]): void {
  inserted.forEach(({ type, data }, index) => editor.blocks.insert(type, data, undefined, start + index, false));
  for (const place of removed.toReversed()) editor.blocks.delete(place < start ? place : place + inserted.length);
  if (inserted.length === 0) return void (start === 0 ? placeCaret(editor, 0, "start") : placeCaret(editor, start - 1, "end"));
  const last = start + inserted.length - 1;
  if (holdsCaret(inserted.at(-1)!.type)) return void placeCaret(editor, last, "end");
  writeBelowBlock(editor, last);
}

function placeCaret(editor: EditorJS, place: number, position: "start" | "end"): void {
  editor.caret.setToBlock(place, position);
  editor.caret.setToBlock(place, position); // the first call may only end the rectangle selection
  const block = editor.blocks.getBlockByIndex(place)?.holder;
  if (!block || block.contains(document.activeElement)) return;
  // Editor.js finds no caret position in a new list.
  const texts = [...block.querySelectorAll<HTMLElement>("[contenteditable=true]")];
  const text = texts.at(position === "start" ? 0 : -1);
  if (text) caretIn(text);
}

export function caretIn(text: HTMLElement): void {
  text.focus();
  getSelection()?.selectAllChildren(text);
  getSelection()?.collapseToEnd();
}
