import type EditorJS from "@editorjs/editorjs";
import type { OutputData } from "@editorjs/editorjs";
import { lengthTo, placeAt, textsOf } from "./places-in-texts.ts";
import { type Step, stepsBetween } from "./steps-between.ts";

type Blocks = OutputData["blocks"];

/**
 * Replaces only blocks that differ from a colleague's version. Keeps the scroll position and the caret's word, and restores the focus, which
 * Editor.js moves when it deletes a block.
 */
export function showChange(holder: HTMLElement, editor: EditorJS, from: Blocks, to: Blocks): void {
  const steps = stepsBetween(from, to);
  if (steps.length === 0) return;
  const removed = new Set(steps.flatMap(({ at, removed }) => from.slice(at, at + removed).map(({ id }) => id ?? "")));
  const caret = caretIn(holder);
  const selected = captureSelection();
  const focused = document.activeElement as HTMLElement | null;
  const anchor = firstInSight(holder, removed);
  const top = anchor?.getBoundingClientRect().top ?? 0;

  apply(editor, from, steps);

  if (focused?.isConnected && selected?.isConnected()) {
    if (focused !== document.activeElement) focused.focus({ preventScroll: true });
    selected.restore();
  } else if (caret) putCaret(holder, caret);
  else if (focused?.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
  else if (holder.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
  if (anchor?.isConnected) window.scrollBy({ top: anchor.getBoundingClientRect().top - top, behavior: "instant" });
}

function apply({ blocks }: EditorJS, from: Blocks, steps: readonly Step[]): void {
  const ids = Array.from({ length: blocks.getBlocksCount() }, (_, place) => blocks.getBlockByIndex(place)?.id);
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = (at: number) => places.get(from[at]?.id) ?? -1;
  for (const { at, removed, inserted } of steps.toReversed()) {
    const start = at === 0 ? (removed > 0 ? Math.max(0, placeOf(0)) : 0) : placeOf(at - 1) + 1;
    const old = Array.from({ length: removed }, (_, number) => placeOf(at + number)).filter((place) => place >= 0);
    inserted.forEach(({ type, data, id }, index) => blocks.insert(type, data, undefined, start + index, false, false, id));
    for (const place of old.toReversed()) blocks.delete(place + inserted.length);
  }
}

function firstInSight(holder: HTMLElement, removed: ReadonlySet<string>): Element | undefined {
  return [...holder.querySelectorAll<HTMLElement>(".ce-block")].find(
    (block) => !removed.has(block.dataset.id ?? "") && block.getBoundingClientRect().bottom > 0,
  );
}

function captureSelection() {
  const selection = getSelection();
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection ?? {};
  if (!selection || !anchorNode || !focusNode) return null;
  return {
    isConnected: () => anchorNode.isConnected && focusNode.isConnected,
    restore: () => {
      const current = getSelection();
      if (
        current &&
        (current.anchorNode !== anchorNode ||
          current.focusNode !== focusNode ||
          current.focusOffset !== focusOffset ||
          current.anchorOffset !== anchorOffset)
      )
        current.setBaseAndExtent(anchorNode, anchorOffset!, focusNode, focusOffset!);
    },
  };
}

interface Caret {
  block: string;
  text: number;
  words: string;
  offset: number;
}

const isField = (text: HTMLElement) => text instanceof HTMLTextAreaElement || text instanceof HTMLInputElement;
const wordsOf = (text: HTMLElement): string => (isField(text) ? text.value : (text.textContent ?? ""));

function caretIn(holder: HTMLElement): Caret | null {
  const focused = document.activeElement;
  const block = focused && holder.contains(focused) ? focused.closest<HTMLElement>(".ce-block") : null;
  if (!block) return null;
  const text = textsOf(block).indexOf(focused as HTMLElement);
  if (text === -1) return null;
  const field = focused as HTMLElement;
  return { block: block.dataset.id ?? "", text, words: wordsOf(field), offset: offsetIn(field) };
}

function offsetIn(text: HTMLElement): number {
  if (isField(text)) return text.selectionStart ?? 0;
  const selection = getSelection();
  if (!selection?.focusNode || !text.contains(selection.focusNode)) return 0;
  return lengthTo(text, { node: selection.focusNode, offset: selection.focusOffset });
}

const contextLength = 40;

/** Maps a caret offset from one text to a changed one: after the same words. */
export function placeIn(from: string, to: string, offset: number): number {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && from[head] === to[head]) head++;
  if (offset <= head) return offset;
  let tail = 0;
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) tail++;
  if (offset >= from.length - tail) return to.length - (from.length - offset);
  for (let length = Math.min(contextLength, offset); length > 0; length--) {
    const words = from.slice(offset - length, offset);
    const [above, below] = [to.lastIndexOf(words, offset - length), to.indexOf(words, offset - length)];
    if (above === -1 && below === -1) continue;
    return length + (below === -1 || (above !== -1 && offset - length - above < below - (offset - length)) ? above : below);
  }
  return Math.min(offset, to.length - tail);
}

function putCaret(holder: HTMLElement, { block, text, words, offset }: Caret): void {
  const element = holder.querySelector(`.ce-block[data-id="${CSS.escape(block)}"]`);
  const target = element && textsOf(element)[text];
  if (!target) return (document.activeElement as HTMLElement | null)?.blur();
  if (target !== document.activeElement) target.focus({ preventScroll: true });
  const place = placeIn(words, wordsOf(target), offset);
  if (isField(target)) return target.setSelectionRange(place, place);
  const { node, offset: at } = placeAt(target, place);
  getSelection()?.collapse(node, at);
}
