import type EditorJS from "@editorjs/editorjs";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { selectedPlaces } from "./paste/insert-blocks.ts";

export interface DuplicateListener {
  recordUndo(): void;
  onChange(): void;
}

export async function duplicateBlocks(
  editor: EditorJS,
  places: readonly number[],
  { recordUndo, onChange }: DuplicateListener,
): Promise<void> {
  const saved = await Promise.all(
    places.map(async (place) => {
      const block = editor.blocks.getBlockByIndex(place);
      return { type: block?.name, data: (await block?.save())?.data };
    }),
  );
  const copies = cleanBlocks(saved, unlimited).blocks;
  const last = places.at(-1);
  if (last === undefined || copies.length === 0) return;
  recordUndo();
  copies.forEach(({ type, data }, index) => editor.blocks.insert(type, data, undefined, last + 1 + index, false));
  editor.caret.setToBlock(last + 1, "end");
  onChange();
}

export function listenForDuplicate(holder: HTMLElement, editor: EditorJS, listener: DuplicateListener): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "d" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : null;
    const selected = selectedPlaces(holder);
    const place = [...holder.querySelectorAll(".ce-block")].indexOf(target?.closest(".ce-block") ?? holder);
    if (editor.readOnly.isEnabled || (selected.length === 0 && place === -1)) return;
    event.preventDefault(); // the browser would add a bookmark
    event.stopPropagation();
    void duplicateBlocks(editor, selected.length > 0 ? selected : [place], listener);
  };
  window.addEventListener("keydown", onKeyDown, true);
  return () => window.removeEventListener("keydown", onKeyDown, true);
}
