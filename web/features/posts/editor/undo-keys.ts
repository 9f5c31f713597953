import type EditorJS from "@editorjs/editorjs";
import type { OutputData } from "@editorjs/editorjs";
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
  const blank = come.length > 0 ? blankAtCaret(blocks) : undefined;
  const all = gone.length === blocks.getBlocksCount(); // then Editor.js puts an empty paragraph there
  for (const id of gone) blocks.delete(blocks.getBlockIndex(id));
  const start = after === null ? 0 : blocks.getBlockIndex(after) + 1;
  come.forEach(({ type, data, id }, index) => blocks.insert(type, data, undefined, start + index, false, false, id));
  if (all && come.length > 0) blocks.delete(come.length);
  if (blank !== undefined && blocks.getBlocksCount() > 1) blocks.delete(blocks.getBlockIndex(blank));
  caret.setToBlock(Math.min(start + Math.max(0, come.length - 1), blocks.getBlocksCount() - 1), "end");
}

/** The empty paragraph with the caret, which is not saved: it stood in for what comes back. */
function blankAtCaret(blocks: EditorJS["blocks"]): string | undefined {
  const place = blocks.getCurrentBlockIndex();
  const block = place === -1 ? undefined : blocks.getBlockByIndex(place);
  return block?.name === "paragraph" && block.isEmpty ? block.id : undefined;
}
