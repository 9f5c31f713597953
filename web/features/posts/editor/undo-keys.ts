import type EditorJS from "@editorjs/editorjs";
import type { EditorBlock, OutputData } from "@editorjs/editorjs";
import { allBlocks } from "./blocks/editor-blocks.ts";
import { putCaret, rangeIn } from "./text-at-caret.ts";
import { changeBetween, type BlockChange, type UndoStack } from "./undo-stack.ts";

export type UndoDirection = "undo" | "redo";

/**
 * Ctrl/Cmd+Z and Ctrl/Cmd+Shift+Z (or Ctrl+Y) over the whole text: the browser's own undo knows single paragraphs only, no blocks.
 * `read` gives the blocks as they are now and records them in the stack. Returns how to ask for it without a keyboard, and how to stop.
 */
export function listenForUndo(
  holder: HTMLElement,
  editor: EditorJS,
  stack: UndoStack,
  read: () => Promise<OutputData>,
  onChange: () => void,
): { ask(direction: UndoDirection): void; stop(): void } {
  let work: Promise<void> = Promise.resolve();

  const go = async (direction: UndoDirection) => {
    const now = (await read()).blocks;
    const then = stack[direction]();
    const change = then && changeBetween(now, then);
    if (!change) return;
    apply(editor, change);
    await read();
    onChange();
  };
  const ask = (direction: UndoDirection) => {
    work = work.then(() => go(direction)).catch((error: unknown) => console.error("Undo failed", error));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const direction = directionOf(event);
    if (!direction) return;
    event.preventDefault();
    event.stopPropagation();
    ask(direction);
  };
  const onBeforeInput = (event: InputEvent) => {
    const direction = ({ historyUndo: "undo", historyRedo: "redo" } as const)[event.inputType];
    if (!direction) return;
    event.preventDefault(); // from the browser's menu
    ask(direction);
  };
  holder.addEventListener("keydown", onKeyDown, true);
  holder.addEventListener("beforeinput", onBeforeInput, true);
  const stop = () => {
    holder.removeEventListener("keydown", onKeyDown, true);
    holder.removeEventListener("beforeinput", onBeforeInput, true);
  };
  return { ask, stop };
}

function directionOf(event: KeyboardEvent): UndoDirection | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" && !event.shiftKey ? "redo" : null;
}

function apply({ blocks, caret }: EditorJS, { after, gone, come }: BlockChange): void {
  const [only] = gone;
  const before = gone.length === 1 && come.length === 1 ? onlyTextOf(blocks.getBlockByIndex(blocks.getBlockIndex(only!))) : null;
  const words = before?.textContent ?? "";
  const blank = come.length > 0 ? blankAtCaret(blocks) : undefined;
  const all = gone.length === blocks.getBlocksCount(); // then Editor.js puts an empty paragraph there
  for (const id of gone) blocks.delete(blocks.getBlockIndex(id));
  const start = after === null ? 0 : blocks.getBlockIndex(after) + 1;
  const blankPlace = blank === undefined ? -1 : blocks.getBlockIndex(blank); // what comes may have its id
  come.forEach(({ type, data, id }, index) => blocks.insert(type, data, undefined, start + index, false, false, id));
  if (all && come.length > 0) blocks.delete(come.length);
  if (blankPlace !== -1 && blocks.getBlocksCount() > 1) blocks.delete(blankPlace + (blankPlace < start ? 0 : come.length));
  const place = Math.min(start + Math.max(0, come.length - 1), blocks.getBlocksCount() - 1);
  caret.setToBlock(place, "end");
  const text = before && onlyTextOf(blocks.getBlockByIndex(place));
  if (!text) return;
  const at = rangeIn(text, changeEnd(words, text.textContent), Infinity);
  putCaret(at.startContainer, at.startOffset);
}

/** Where in the second text that ends in which it differs from the first. */
export function changeEnd(from: string, to: string): number {
  let same = 0;
  while (same < Math.min(from.length, to.length) && from.at(-1 - same) === to.at(-1 - same)) same++;
  return to.length - same;
}

/** The text of a block that has one and no more. */
function onlyTextOf(block: EditorBlock | undefined): HTMLElement | null {
  const texts = block?.holder.querySelectorAll<HTMLElement>("[contenteditable=true]") ?? [];
  return texts.length === 1 && !texts[0]!.querySelector("br") ? texts[0]! : null;
}

/** The empty text with the caret, which is not saved: it stood in for what comes back, or was made of it. */
function blankAtCaret(blocks: EditorJS["blocks"]): string | undefined {
  const place = blocks.getCurrentBlockIndex();
  const block = place === -1 ? undefined : blocks.getBlockByIndex(place);
  const isText = allBlocks.some(([type, { writing }]) => type === block?.name && writing === "text");
  return isText && block?.isEmpty ? block.id : undefined;
}
