import type EditorJS from "@editorjs/editorjs";
import { imageTypes } from "#contract/rules/image-type.ts";
import { readClipboard } from "./clipboard.ts";
import { insertPasted } from "./insert-pasted.ts";

export interface PasteListener {
  recordUndo(): void;
  onChange(): void;
  onLeftOut(images: number): void;
  onFilesRejected(): void;
}

/**
 * Pastes and drops, except files. Editor.js would merge words, lose nested lists and load images from other sites. Must run before its
 * listeners. Returns a cleanup function.
 */
export function listenForPaste(holder: HTMLElement, editor: EditorJS, listener: PasteListener): () => void {
  const { recordUndo, onChange, onLeftOut, onFilesRejected } = listener;
  const insert = (data: DataTransfer, target: Element) => {
    const pasted = readClipboard(data);
    if (pasted.leftOut > 0) onLeftOut(pasted.leftOut);
    if (pasted.blocks.length > 0) void insertPasted(holder, editor, pasted, target).then(onChange);
  };
  const isOurs = (event: Event, data: DataTransfer | null): data is DataTransfer => {
    if (!(event.target instanceof Element) || !holder.contains(event.target) || editor.readOnly.isEnabled || data === null) return false;
    if (!isFile(data)) return true;
    if (data.files.length === 0 || [...data.files].some(({ type }) => !imageMimeTypes.has(type))) onFilesRejected();
    return false;
  };

  const onPaste = (event: ClipboardEvent) => {
    const data = event.clipboardData;
    if (!isOurs(event, data) || isPlainField(event.target as Element)) return;
    event.preventDefault();
    event.stopPropagation();
    recordUndo();
    insert(data, event.target as Element);
  };

  let isFromHere = false;
  const onDragStart = ({ target }: DragEvent) => {
    isFromHere = target instanceof Node && holder.contains(target);
  };
  const onDrop = (event: DragEvent) => {
    const data = event.dataTransfer;
    if (!isOurs(event, data)) return;
    event.stopPropagation();
    if (isPlainField(event.target as Element)) return;
    event.preventDefault();
    recordUndo();
    if (isFromHere) document.execCommand("delete"); // the dragged text is the selection
    isFromHere = false;
    caretAt(event, holder);
    insert(data, event.target as Element);
  };

  document.addEventListener("paste", onPaste, true);
  document.addEventListener("dragstart", onDragStart, true);
  document.addEventListener("drop", onDrop, true);
  return () => {
    document.removeEventListener("paste", onPaste, true);
    document.removeEventListener("dragstart", onDragStart, true);
    document.removeEventListener("drop", onDrop, true);
  };
}

const imageMimeTypes: ReadonlySet<string> = new Set(Object.values(imageTypes));

/** Editor.js handles files. Word and Excel also copy an image of their text: prefer the text. */
const isFile = (data: DataTransfer): boolean => data.types.includes("Files") && !hasWords(data.getData("text/html"));

function hasWords(html: string): boolean {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const part of body.querySelectorAll("style, script")) part.remove();
  return body.textContent.trim() !== "";
}

const isPlainField = (target: Element): boolean => target.closest("input, textarea") !== null;

function caretAt({ clientX, clientY }: DragEvent, holder: HTMLElement): void {
  const range = "caretRangeFromPoint" in document ? document.caretRangeFromPoint(clientX, clientY) : null;
  const text = range?.startContainer.parentElement?.closest<HTMLElement>("[contenteditable=true]");
  if (!range || !text || !holder.contains(text)) return;
  text.focus();
  getSelection()?.setBaseAndExtent(range.startContainer, range.startOffset, range.startContainer, range.startOffset);
}
