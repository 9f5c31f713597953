import type EditorJS from "@editorjs/editorjs";
import type { BlockChange } from "./undo-stack.ts";

/**
 * Puts somebody else's blocks in the place of those that differ. Whoever reads sees the same lines where they were, and the caret stays in its
 * word: the other blocks are not touched, and Editor.js, which puts the focus where it deletes, is corrected.
 */
export function showChange(holder: HTMLElement, { blocks }: EditorJS, { after, gone, come }: BlockChange): void {
  const caret = caretIn(holder);
  const focused = document.activeElement as HTMLElement | null;
  const anchor = firstInSight(holder, new Set(gone));
  const top = anchor?.getBoundingClientRect().top ?? 0;

  const start = after === null ? 0 : blocks.getBlockIndex(after) + 1;
  const places = gone.map((id) => blocks.getBlockIndex(id)).filter((place) => place >= 0);
  come.forEach(({ type, data, id }, index) => blocks.insert(type, data, undefined, start + index, false, false, id));
  for (const place of places.toSorted((one, other) => other - one)) blocks.delete(place + come.length);

  if (caret) putCaret(holder, caret);
  else if (focused?.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
  else if (holder.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
  if (anchor?.isConnected) window.scrollBy({ top: anchor.getBoundingClientRect().top - top, behavior: "instant" });
}

/** The topmost block on the screen that stays. */
function firstInSight(holder: HTMLElement, gone: ReadonlySet<string>): Element | undefined {
  return [...holder.querySelectorAll<HTMLElement>(".ce-block")].find(
    (block) => !gone.has(block.dataset.id ?? "") && block.getBoundingClientRect().bottom > 0,
  );
}

/** A place in the text that outlives its block: the block's id, which of its texts, and how many characters in. */
interface Caret {
  block: string;
  text: number;
  offset: number;
}

const textsOf = (block: Element): HTMLElement[] => [...block.querySelectorAll<HTMLElement>("[contenteditable=true], textarea, input")];

function caretIn(holder: HTMLElement): Caret | null {
  const focused = document.activeElement;
  const block = focused && holder.contains(focused) ? focused.closest<HTMLElement>(".ce-block") : null;
  if (!block) return null;
  const text = textsOf(block).indexOf(focused as HTMLElement);
  if (text === -1) return null;
  return { block: block.dataset.id ?? "", text, offset: offsetIn(focused as HTMLElement) };
}

function offsetIn(text: HTMLElement): number {
  if (text instanceof HTMLTextAreaElement || text instanceof HTMLInputElement) return text.selectionStart ?? 0;
  const selection = getSelection();
  if (!selection?.focusNode || !text.contains(selection.focusNode)) return 0;
  const before = document.createRange();
  before.selectNodeContents(text);
  before.setEnd(selection.focusNode, selection.focusOffset);
  return before.toString().length;
}

function putCaret(holder: HTMLElement, { block, text, offset }: Caret): void {
  const home = holder.querySelector(`.ce-block[data-id="${CSS.escape(block)}"]`);
  const target = home && textsOf(home)[text];
  if (!target) return (document.activeElement as HTMLElement | null)?.blur(); // its block is gone
  if (target !== document.activeElement) target.focus({ preventScroll: true });
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) return target.setSelectionRange(offset, offset);
  let left = offset;
  const walker = document.createTreeWalker(target, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (left <= node.length) return void getSelection()?.collapse(node, left);
    left -= node.length;
  }
  getSelection()?.selectAllChildren(target);
  getSelection()?.collapseToEnd();
}
