import type EditorJS from "@editorjs/editorjs";
import type { Block } from "#contract/blocks/schema.ts";
import { looksLikeMarkdown, markdownBlocks } from "./markdown-blocks.ts";
import { isWordList, wordBlocks } from "./word-blocks.ts";

/** Pastes Markdown and Word's lists as blocks; everything else is left to Editor.js. Returns how to stop. */
export function listenForPaste(holder: HTMLElement, editor: EditorJS, onChange: () => void): () => void {
  const onPaste = (event: ClipboardEvent) => {
    const paragraph = event.target instanceof Element ? event.target.closest(".ce-paragraph") : null;
    const blocks = paragraph && event.clipboardData ? pastedBlocks(event.clipboardData) : [];
    if (!paragraph || blocks.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const current = editor.blocks.getCurrentBlockIndex();
    const replaces = paragraph.textContent.trim() === "";
    const start = replaces ? current : current + 1;
    blocks.forEach(({ type, data }, index) => editor.blocks.insert(type, data, undefined, start + index, false, replaces && index === 0));
    editor.caret.setToBlock(start + blocks.length - 1, "end");
    onChange();
  };
  holder.addEventListener("paste", onPaste, true);
  return () => holder.removeEventListener("paste", onPaste, true);
}

/** What the clipboard holds, as blocks; none when it is nothing special. */
export function pastedBlocks(clipboard: Pick<DataTransfer, "getData" | "types">): Block[] {
  const html = clipboard.getData("text/html");
  if (isWordList(html)) return wordBlocks(html);
  const text = clipboard.getData("text/plain");
  const plain = html === "" || clipboard.types.includes("vscode-editor-data"); // a code editor's HTML is only its colours
  return plain && looksLikeMarkdown(text) ? markdownBlocks(text) : [];
}
