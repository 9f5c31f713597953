import type EditorJS from "@editorjs/editorjs";
import type { Block } from "#contract/blocks/schema.ts";
import { looksLikeMarkdown, markdownBlocks } from "./markdown-blocks.ts";
import { needsCare, editableHtml } from "./pasted-html.ts";
import { isWordList, wordBlocks } from "./word-blocks.ts";

const drawnMs = 50; // after which Editor.js has drawn what was pasted

export interface PasteListener {
  onChange(): void;
  /** So many pictures could not be kept. */
  onLeftOut(pictures: number): void;
}

/** Pastes Markdown and Word's lists as blocks and looks after pictures; everything else is left to Editor.js. Returns how to stop. */
export function listenForPaste(holder: HTMLElement, editor: EditorJS, { onChange, onLeftOut }: PasteListener): () => void {
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

  // Editor.js keeps any link and loads pictures from their sites: it gets the HTML with those alone that a post can keep.
  const handedOn = new WeakSet<Event>();
  const onHtml = (event: ClipboardEvent | DragEvent) => {
    const data = "dataTransfer" in event ? event.dataTransfer : event.clipboardData;
    const html = data?.getData("text/html") ?? "";
    if (!data || handedOn.has(event) || data.types.includes("Files") || !needsCare(html)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const kept = editableHtml(html, !isWordList(html));
    const clean = new DataTransfer();
    clean.setData("text/html", kept.html);
    clean.setData("text/plain", data.getData("text/plain"));
    const next = again(event, clean);
    handedOn.add(next);
    event.target?.dispatchEvent(next);
    if (kept.leftOut > 0) onLeftOut(kept.leftOut);
  };

  // Editor.js finds no place for its caret in a list that it has just made: who types on would write into nothing.
  let drawn: ReturnType<typeof setTimeout> | undefined;
  const onPasted = () => {
    clearTimeout(drawn);
    drawn = setTimeout(() => {
      if (document.activeElement === document.body) editor.caret.setToBlock(editor.blocks.getCurrentBlockIndex(), "end");
    }, drawnMs);
  };

  holder.addEventListener("paste", onHtml, true);
  holder.addEventListener("drop", onHtml, true);
  holder.addEventListener("paste", onPasted, true);
  holder.addEventListener("paste", onPaste, true);
  return () => {
    clearTimeout(drawn);
    holder.removeEventListener("paste", onHtml, true);
    holder.removeEventListener("drop", onHtml, true);
    holder.removeEventListener("paste", onPasted, true);
    holder.removeEventListener("paste", onPaste, true);
  };
}

function again(event: ClipboardEvent | DragEvent, data: DataTransfer): Event {
  const common = { bubbles: true, cancelable: true, composed: true };
  if (!("dataTransfer" in event)) return new ClipboardEvent("paste", { ...common, clipboardData: data });
  return new DragEvent("drop", { ...common, clientX: event.clientX, clientY: event.clientY, dataTransfer: data });
}

/** What the clipboard holds, as blocks; none when it is nothing special. */
export function pastedBlocks(clipboard: Pick<DataTransfer, "getData" | "types">): Block[] {
  const html = clipboard.getData("text/html");
  if (isWordList(html)) return wordBlocks(html);
  const text = clipboard.getData("text/plain");
  const plain = html === "" || clipboard.types.includes("vscode-editor-data"); // a code editor's HTML is only its colours
  return plain && looksLikeMarkdown(text) ? markdownBlocks(text) : [];
}
