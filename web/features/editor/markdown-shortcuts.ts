import type EditorJS from "@editorjs/editorjs";
import type { Block } from "#contract/blocks/schema.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { allBlocks, holdsCaret } from "./blocks/editor-blocks.ts";
import { replaceBlock } from "./replace-block.ts";
import { textAtCaret } from "./text-at-caret.ts";
import { writeBelowBlock } from "./write-below.ts";

interface NewBlock {
  type: Block["type"];
  data: object;
}

const shortcuts = new Map<string, (rest: string) => NewBlock>(
  allBlocks.flatMap(([type, block]) =>
    Object.entries(block.shortcuts).map(([marker, make]) => [marker, (rest: string) => ({ type, data: make(rest) })] as const),
  ),
);
const wholeLines = allBlocks.flatMap(([, { markdown }]) => (markdown?.onEnter ? markdown : []));

/** The block of a typed Markdown marker, or null. `before`: the text up to the caret; `rest`: the HTML after it. */
export function blockForMarker(before: string, rest: string): NewBlock | null {
  return shortcuts.get(before)?.(rest) ?? null;
}

export function blockForLine(line: string): NewBlock | null {
  return wholeLines.find(({ pattern }) => /^\S+$/.test(line) && pattern.test(line))?.read([line], 0)[0] ?? null;
}

export function blockForTypedLine(line: string): NewBlock | null {
  const [, marker = "", rest = ""] = /^(\S+)[ \u00a0](.*)$/.exec(line) ?? [];
  return blockForMarker(marker, escapeHtml(rest)) ?? blockForLine(line);
}

/**
 * Turns a paragraph into a block when a space (also on a phone) or Enter follows a Markdown marker. Calls `recordUndo` first, so that undo
 * restores the typed text. Returns a cleanup function.
 */
export function listenForShortcuts(holder: HTMLElement, editor: EditorJS, recordUndo: () => void): () => void {
  const put = (place: number, block: NewBlock) => {
    recordUndo();
    replaceBlock(editor, place, block);
    if (holdsCaret(block.type)) editor.caret.setToBlock(place, "start");
    else writeBelowBlock(editor, place);
    holder.dispatchEvent(new InputEvent("input", { bubbles: true })); // replacing a block fires no event
  };
  const onInput = (event: Event) => {
    if (!(event instanceof InputEvent) || !event.inputType.startsWith("insert") || !/[ \u00a0]$/.test(event.data ?? "")) return;
    const paragraph = paragraphAtCaret(holder);
    const block = paragraph && blockForMarker(paragraph.before.slice(0, -1), paragraph.rest);
    if (block) put(paragraph.place, block);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const paragraph = paragraphAtCaret(holder);
    const block = paragraph && paragraph.rest === "" ? blockForLine(paragraph.before) : null;
    if (!paragraph || !block) return;
    event.preventDefault();
    event.stopPropagation();
    put(paragraph.place, block);
  };
  holder.addEventListener("input", onInput);
  holder.addEventListener("keydown", onKeyDown, true);
  return () => {
    holder.removeEventListener("input", onInput);
    holder.removeEventListener("keydown", onKeyDown, true);
  };
}

function paragraphAtCaret(holder: HTMLElement): { place: number; before: string; rest: string } | null {
  const caret = textAtCaret(holder);
  if (!caret?.text.matches(".ce-paragraph") || caret.before.length > 40) return null;
  const { focusNode, focusOffset } = getSelection()!;
  const range = document.createRange();
  range.setStart(focusNode!, focusOffset);
  range.setEnd(caret.text, caret.text.childNodes.length);
  const rest = document.createElement("div");
  rest.append(range.cloneContents());
  return {
    place: [...holder.querySelectorAll(".ce-block")].indexOf(caret.text.closest(".ce-block")!),
    before: caret.before,
    rest: rest.textContent === "" ? "" : rest.innerHTML,
  };
}
