import type EditorJS from "@editorjs/editorjs";

type Shortcut = (rest: string) => { type: string; data: object };

const item = (content: string) => ({ content, meta: {}, items: [] });
const list =
  (style: "ordered" | "unordered"): Shortcut =>
  (rest) => ({ type: "list", data: { style, meta: {}, items: [item(rest)] } });
const header =
  (level: number): Shortcut =>
  (text) => ({ type: "header", data: { text, level } });

/** What a marker at the start of a paragraph turns it into, once a blank follows. */
const shortcuts: Readonly<Record<string, Shortcut>> = {
  "##": header(2),
  "###": header(3),
  "####": header(4),
  "-": list("unordered"),
  "*": list("unordered"),
  "1.": list("ordered"),
  ">": (text) => ({ type: "quote", data: { text, caption: "", alignment: "left" } }),
  "[]": (text) => ({ type: "checklist", data: { items: [{ text, checked: false }] } }),
  "```": (code) => ({ type: "code", data: { code } }),
  "---": () => ({ type: "delimiter", data: {} }),
};

/** The block a typed marker asks for, or null. `before` is the text up to the caret, `rest` the HTML behind it. */
export function blockForMarker(before: string, rest: string): { type: string; data: object } | null {
  return Object.hasOwn(shortcuts, before) ? shortcuts[before]!(rest) : null;
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
    if (block.type === "delimiter") editor.blocks.insert("paragraph", {}, undefined, index + 1, true);
    else editor.caret.setToBlock(index, "start");
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
