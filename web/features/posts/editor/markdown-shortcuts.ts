import type EditorJS from "@editorjs/editorjs";
import type { Block } from "#contract/blocks/schema.ts";
import { allBlocks, editorBlocks } from "./blocks/editor-blocks.ts";

interface NewBlock {
  type: Block["type"];
  data: object;
}

const shortcuts = new Map<string, (rest: string) => NewBlock>(
  allBlocks.flatMap(([type, block]) =>
    Object.entries(block.shortcuts).map(([marker, make]) => [marker, (rest: string) => ({ type, data: make(rest) })] as const),
  ),
);

/** The block a typed marker asks for, or null. `before` is the text up to the caret, `rest` the HTML behind it. */
export function blockForMarker(before: string, rest: string): NewBlock | null {
  return shortcuts.get(before)?.(rest) ?? null;
}

/** Turns a paragraph into the block its marker names when the blank is typed. Returns how to stop. */
export function listenForShortcuts(holder: HTMLElement, editor: EditorJS): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== " " || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const paragraph = caretParagraph();
    const block = paragraph && blockForMarker(paragraph.before, paragraph.rest);
    if (!block) return;
    event.preventDefault();
    event.stopPropagation();
    const index = editor.blocks.getCurrentBlockIndex();
    editor.blocks.insert(block.type, block.data, undefined, index, true, true);
    if (editorBlocks[block.type].holdsCaret) editor.caret.setToBlock(index, "start");
    else editor.blocks.insert("paragraph", {}, undefined, index + 1, true);
    holder.dispatchEvent(new InputEvent("input", { bubbles: true })); // a replaced block fires none by itself
  };
  holder.addEventListener("keydown", onKeyDown, true); // before the editor's own listener
  return () => holder.removeEventListener("keydown", onKeyDown, true);
}

function caretParagraph(): { before: string; rest: string } | null {
  const selection = getSelection();
  if (!selection?.isCollapsed || !selection.anchorNode) return null;
  const node = selection.anchorNode;
  const paragraph = (node instanceof Element ? node : node.parentElement)?.closest(".ce-paragraph");
  if (!paragraph) return null;
  const range = document.createRange();
  range.setStart(paragraph, 0);
  range.setEnd(node, selection.anchorOffset);
  const before = range.toString();
  range.setStart(node, selection.anchorOffset);
  range.setEnd(paragraph, paragraph.childNodes.length);
  const rest = document.createElement("div");
  rest.append(range.cloneContents());
  return { before, rest: rest.innerHTML };
}
