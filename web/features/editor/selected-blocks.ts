import type EditorJS from "@editorjs/editorjs";
import type { Block } from "#contract/blocks/schema.ts";
import { putBlocks, selectedPlaces } from "./paste/insert-blocks.ts";

const emptyParagraph: Block = { type: "paragraph", data: { text: "" } };

/**
 * Selected blocks: Backspace and Delete remove them, Enter and letters replace them. Editor.js does this only without a caret, but
 * Chromium keeps one. Must run before the editor's document listener. Returns a cleanup function.
 */
export function listenForSelectedBlocks(
  holder: HTMLElement,
  editor: EditorJS,
  { recordUndo, onChange }: { recordUndo(): void; onChange(): void },
): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const act = actionOf(event);
    const places = act === null || editor.readOnly.isEnabled || !isForText(holder, event.target) ? [] : selectedPlaces(holder);
    if (places.length === 0) return;
    event.stopImmediatePropagation();
    if (act !== "write") event.preventDefault();
    recordUndo();
    putBlocks(editor, places[0]!, places, act === "remove" ? [] : [emptyParagraph]);
    onChange();
  };
  /** Editor.js cuts and leaves an empty paragraph beside its default one. */
  const onCut = () => {
    if (editor.readOnly.isEnabled || selectedPlaces(holder).length === 0) return;
    recordUndo();
    setTimeout(() => {
      const count = editor.blocks.getBlocksCount();
      const isEmpty = (place: number) => {
        const block = editor.blocks.getBlockByIndex(place);
        return block?.name === "paragraph" && block.isEmpty;
      };
      if (count < 2 || !Array.from({ length: count }, (_, place) => place).every(isEmpty)) return;
      for (let place = count - 1; place > 0; place--) editor.blocks.delete(place);
      editor.caret.setToBlock(0, "start");
    });
  };
  window.addEventListener("keydown", onKeyDown, true);
  document.addEventListener("cut", onCut, true);
  return () => {
    window.removeEventListener("keydown", onKeyDown, true);
    document.removeEventListener("cut", onCut, true);
  };
}

function actionOf(event: KeyboardEvent): "remove" | "break" | "write" | null {
  const { key } = event;
  if (event.isComposing) return null;
  if (key === "Backspace" || key === "Delete") return "remove";
  const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
  if (isCommand) return null;
  if (key === "Enter") return "break";
  return [...key].length === 1 || key === "Process" || key === "Dead" ? "write" : null;
}

/** True if a key is for the text, not for an editor menu (which also selects its block). */
function isForText(holder: HTMLElement, target: EventTarget | null): boolean {
  if (holder.querySelector(".ce-popover--opened")) return false;
  if (!(target instanceof Element)) return false;
  return target === document.body || (holder.contains(target) && target.closest(".ce-toolbar") === null);
}
