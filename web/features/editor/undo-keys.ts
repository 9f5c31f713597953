import type EditorJS from "@editorjs/editorjs";
import type { EditorBlock, OutputData } from "@editorjs/editorjs";
import { allBlocks } from "./blocks/editor-blocks.ts";
import { putCaret, rangeIn } from "./text-at-caret.ts";
import { changeBetween, type BlockChange, type UndoStack } from "./undo-stack.ts";

export type UndoDirection = "undo" | "redo";

/**
 * Undo and redo of the whole post by Ctrl/Cmd+Z and Ctrl/Cmd+Shift+Z (or Ctrl+Y): the browser's own undo knows only single paragraphs.
 * `read` returns the current blocks and records them.
 */
export function listenForUndo(
  holder: HTMLElement,
  editor: EditorJS,
  stack: UndoStack,
  read: () => Promise<OutputData>,
  onChange: () => void,
): { request(direction: UndoDirection): void; stop(): void } {
  let work: Promise<void> = Promise.resolve();

  const applyStep = async (direction: UndoDirection) => {
    const current = (await read()).blocks;
    const target = stack[direction]();
    const change = target && changeBetween(current, target);
    if (!change) return;
    apply(editor, change);
    await read();
    onChange();
  };
  const request = (direction: UndoDirection) => {
    work = work.then(() => applyStep(direction)).catch((error: unknown) => console.error("Undo failed", error));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const direction = directionOf(event);
    if (!direction) return;
    event.preventDefault();
    event.stopPropagation();
    request(direction);
  };
  const onBeforeInput = (event: InputEvent) => {
    const direction = ({ historyUndo: "undo", historyRedo: "redo" } as const)[event.inputType];
    if (!direction) return;
    event.preventDefault(); // the browser's own undo, from its menu
    request(direction);
  };
  holder.addEventListener("keydown", onKeyDown, true);
  holder.addEventListener("beforeinput", onBeforeInput, true);
  const stop = () => {
    holder.removeEventListener("keydown", onKeyDown, true);
    holder.removeEventListener("beforeinput", onBeforeInput, true);
  };
  return { request, stop };
}

function directionOf(event: KeyboardEvent): UndoDirection | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" && !event.shiftKey ? "redo" : null;
}

function apply({ blocks, caret }: EditorJS, { after, removed, inserted }: BlockChange): void {
  const [only] = removed;
  const before = removed.length === 1 && inserted.length === 1 ? onlyTextOf(blocks.getBlockByIndex(blocks.getBlockIndex(only!))) : null;
  const words = before?.textContent ?? "";
  const blank = inserted.length > 0 ? blankAtCaret(blocks) : undefined;
  const all = removed.length === blocks.getBlocksCount(); // Editor.js then adds an empty paragraph
  for (const id of removed) blocks.delete(blocks.getBlockIndex(id));
  const start = after === null ? 0 : blocks.getBlockIndex(after) + 1;
  const blankPlace = blank === undefined ? -1 : blocks.getBlockIndex(blank); // an inserted block may have its id
  inserted.forEach(({ type, data, id }, index) => blocks.insert(type, data, undefined, start + index, false, false, id));
  if (all && inserted.length > 0) blocks.delete(inserted.length);
  if (blankPlace !== -1 && blocks.getBlocksCount() > 1) blocks.delete(blankPlace + (blankPlace < start ? 0 : inserted.length));
  const place = Math.min(start + Math.max(0, inserted.length - 1), blocks.getBlocksCount() - 1);
  caret.setToBlock(place, "end");
  const text = before && onlyTextOf(blocks.getBlockByIndex(place));
  if (!text) return;
  const at = rangeIn(text, changeEnd(words, text.textContent), Infinity);
  putCaret(at.startContainer, at.startOffset);
}

/** End of the changed part in the second text. */
export function changeEnd(from: string, to: string): number {
  let same = 0;
  while (same < Math.min(from.length, to.length) && from.at(-1 - same) === to.at(-1 - same)) same++;
  return to.length - same;
}

function onlyTextOf(block: EditorBlock | undefined): HTMLElement | null {
  const texts = block?.holder.querySelectorAll<HTMLElement>("[contenteditable=true]") ?? [];
  return texts.length === 1 && !texts[0]!.querySelector("br") ? texts[0]! : null;
}

/** The empty block with the caret. It isn't saved: a placeholder for, or a rest of, the restored block. */
function blankAtCaret(blocks: EditorJS["blocks"]): string | undefined {
  const place = blocks.getCurrentBlockIndex();
  const block = place === -1 ? undefined : blocks.getBlockByIndex(place);
  const isText = allBlocks.some(([type, { writing }]) => type === block?.name && writing === "text");
  return isText && block?.isEmpty ? block.id : undefined;
}
