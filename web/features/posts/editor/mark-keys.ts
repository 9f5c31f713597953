import { type Mark, selectedPiece, toggleMark } from "./marks.ts";

/** With Ctrl/Cmd and, in capitals, Shift. Bold and italic are the browser's. */
const keys: Readonly<Record<string, Mark>> = { X: "s", C: "code", e: "code", M: "mark" };

/** Marks selected words by a key, at once: Editor.js knows its own keys only once its toolbar is on the screen. Returns how to stop. */
export function listenForMarkKeys(holder: HTMLElement, { remember, onChange }: { remember(): void; onChange(): void }): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const mark = keys[event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase()];
    const piece = mark === undefined ? null : selectedPiece(holder);
    if (mark === undefined || piece === null) return;
    event.preventDefault();
    event.stopPropagation();
    remember();
    toggleMark(piece, mark);
    onChange();
  };
  holder.addEventListener("keydown", onKeyDown, true);
  return () => holder.removeEventListener("keydown", onKeyDown, true);
}
