import type EditorJS from "@editorjs/editorjs";

type Editor = Pick<EditorJS, "blocks" | "caret">;

/** Puts the caret into the empty paragraph below a block and adds that paragraph if it's missing. */
export function writeBelowBlock(editor: Editor, place: number): void {
  if (!isEmptyParagraph(editor, place + 1)) editor.blocks.insert("paragraph", {}, undefined, place + 1, true);
  editor.caret.setToBlock(place + 1, "start");
}

function isEmptyParagraph({ blocks }: Editor, place: number): boolean {
  const block = blocks.getBlockByIndex(place);
  return block?.name === "paragraph" && block.isEmpty;
}

/** A click on the blank page below the last block puts the caret into a last paragraph. Returns a function that stops it. */
export function listenForClicksBelow(editor: EditorJS): () => void {
  const onClick = ({ target, clientY }: MouseEvent) => {
    const last = editor.blocks.getBlocksCount() - 1;
    const block = editor.blocks.getBlockByIndex(last)?.holder;
    if (!block || editor.readOnly.isEnabled || !(target instanceof Element)) return;
    const isBackground = target !== block && target.contains(block);
    const isSelecting = getSelection()?.isCollapsed === false; // a drag from the text also ends with a click
    if (!isBackground || isSelecting || clientY < block.getBoundingClientRect().bottom) return;
    writeBelowBlock(editor, isEmptyParagraph(editor, last) ? last - 1 : last);
  };
  document.addEventListener("click", onClick);
  return () => document.removeEventListener("click", onClick);
}
