import { type Mark, selectedPiece, toggleMark } from "./marks.ts";

/** Keys with Ctrl/Cmd; upper case means with Shift. Bold and italic are the browser's. */
const keys: Readonly<Record<string, Mark>> = { X: "s", C: "code", e: "code", M: "mark" };

/** Marks the selection by key. Editor.js knows its shortcuts only while the inline toolbar is visible. Returns a cleanup function. */
export function listenForMarkKeys(holder: HTMLElement, { recordUndo, onChange }: { recordUndo(): void; onChange(): void }): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const mark = keys[event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase()];
    const piece = mark === undefined ? null : selectedPiece(holder);
    if (mark === undefined || piece === null) return;
    event.preventDefault();
    event.stopPropagation();
    recordUndo();
    toggleMark(piece, mark);
    onChange();
  };
  holder.addEventListener("keydown", onKeyDown, true);
  return () => holder.removeEventListener("keydown", onKeyDown, true);
}
