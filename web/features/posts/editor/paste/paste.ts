import type EditorJS from "@editorjs/editorjs";
import { imageTypes } from "#contract/rules/image-type.ts";
import { readClipboard } from "./clipboard.ts";
import { insertPasted } from "./insert-pasted.ts";

export interface PasteListener {
  /** Asked before the text changes: undo leads back to here. */
  remember(): void;
  onChange(): void;
  /** So many images have no address that a server can reach. */
  onLeftOut(pictures: number): void;
  /** There are files that are no pictures a post can hold: Editor.js passes them over. */
  onFilesPassedOver(): void;
}

/**
 * Everything but files that is pasted or dropped comes into the text from here: Editor.js would run words together, lose inner lists and
 * load pictures from their sites. Asked before its own listeners. Returns how to stop.
 */
export function listenForPaste(holder: HTMLElement, editor: EditorJS, listener: PasteListener): () => void {
  const { remember, onChange, onLeftOut, onFilesPassedOver } = listener;
  const take = (data: DataTransfer, target: Element) => {
    const pasted = readClipboard(data);
    if (pasted.leftOut > 0) onLeftOut(pasted.leftOut);
    if (pasted.blocks.length > 0) void insertPasted(holder, editor, pasted, target).then(onChange);
  };
  const isOurs = (event: Event, data: DataTransfer | null): data is DataTransfer => {
    if (!(event.target instanceof Element) || !holder.contains(event.target) || editor.readOnly.isEnabled || data === null) return false;
    if (!isFile(data)) return true;
    if (data.files.length === 0 || [...data.files].some(({ type }) => !pictures.has(type))) onFilesPassedOver();
    return false;
  };

  const onPaste = (event: ClipboardEvent) => {
    const data = event.clipboardData;
    if (!isOurs(event, data) || isPlainField(event.target as Element)) return;
    event.preventDefault();
    event.stopPropagation();
    remember();
    take(data, event.target as Element);
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
    remember();
    if (isFromHere) document.execCommand("delete"); // what was dragged is what was selected
    isFromHere = false;
    caretAt(event, holder);
    take(data, event.target as Element);
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

const pictures: ReadonlySet<string> = new Set(Object.values(imageTypes));

/** Files go to Editor.js. Word and Excel also copy their text and cells as an image; the words say more. */
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
