import { linkBefore, linkOf } from "./addresses.ts";
import { linkElement, type Mark, markElement, wrap } from "./marks.ts";
import { lineBefore, putCaret, putCaretAfter, rangeIn, textAtCaret } from "./text-at-caret.ts";

/** A Markdown mark that ends at the caret: lengths of its opening and closing signs, and its element. */
export interface TypedMark {
  from: number;
  opens: number;
  closes: number;
  make(): HTMLElement;
}

const signs: readonly (readonly [pattern: RegExp, sign: number, mark: Mark])[] = [
  [/(?<!\*)\*\*(?=[^\s*])(?:(?!\*\*).)*[^\s*]\*\*$|(?<![\w_])__(?=[^\s_])(?:(?!__).)*[^\s_]__$/, 2, "b"],
  [/~~(?=[^\s~])(?:(?!~~).)*[^\s~]~~$/, 2, "s"],
  [/==(?=[^\s=])(?:(?!==).)*[^\s=]==$/, 2, "mark"],
  [/(?<![\w*])\*(?=[^\s*])[^*]*[^\s*]\*$|(?<![\w_])_(?=[^\s_])[^_]*[^\s_]_$/, 1, "i"],
  [/(?<!`)`[^`]+`$/, 1, "code"],
];
const link = /(?<!!)\[([^\]\n]+)\]\(([^\s()]+(?:\([^\s()]*\)[^\s()]*)*)\)$/;
const closing = new Set("*_~=`)");
const reach = 1_000; // characters: read on every keystroke

export function typedMark(line: string): TypedMark | null {
  if (!closing.has(line.at(-1) ?? "")) return null;
  const skipped = Math.max(0, line.length - reach);
  const end = line.slice(skipped);
  for (const [pattern, sign, mark] of signs) {
    const match = pattern.exec(end);
    if (match) return { from: skipped + match.index, opens: sign, closes: sign, make: () => markElement(mark) };
  }
  const match = link.exec(end);
  const href = match && linkOf(match[2]!);
  if (!match || !href) return null;
  return { from: skipped + match.index, opens: 1, closes: match[2]!.length + 3, make: () => linkElement(href) };
}

/**
 * Converts inline Markdown on its closing sign and URLs on a following space or Enter. Calls `recordUndo` first, so that undo restores the
 * typed text. Typing at the end of a new mark or a link continues outside it. Returns a cleanup function.
 */
export function listenForTypedMarks(holder: HTMLElement, recordUndo: () => void): () => void {
  let left: Element | null = null;
  let isFresh = false; // the text before the caret was just typed: a removed link isn't linked again
  let blank: Text | null = null; // starts with a non-breaking space, the only space visible at the end of a text

  const onInput = (event: Event) => {
    if (!(event instanceof InputEvent) || event.inputType !== "insertText" || event.isComposing) return;
    if (blank && /^\u00a0[^\s]/.test(blank.data)) blank.replaceData(0, 1, " ");
    if (blank && !blank.data.startsWith("\u00a0")) blank = null;
    const last = event.data?.at(-1) ?? "";
    const wasFresh = isFresh;
    isFresh = last.trim() !== "";
    if (!isFresh && wasFresh) linkAddress(holder, 1, recordUndo);
    else if (closing.has(last)) left = mark(holder, recordUndo) ?? left;
  };
  const onBeforeInput = (event: InputEvent) => {
    if (event.inputType !== "insertText" || event.isComposing || !event.data) return;
    const behind = markEndedAtCaret(left);
    if (behind === null || !holder.contains(behind)) return;
    event.preventDefault();
    blank = writeBehind(behind, event.data) ?? blank;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && isFresh) linkAddress(holder, 0, recordUndo);
    // The browser has no caret position after inline code: the arrow key leaves it, and typing continues outside.
    else if (event.key === "ArrowRight" && !event.shiftKey) left = codeEndedAtCaret() ?? null;
    else if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") left = null;
    if (event.key.length > 1 && event.key !== "Shift" && event.key !== "Process" && event.key !== "Unidentified") isFresh = false;
  };
  const onPointerDown = () => {
    isFresh = false;
    left = null;
  };
  holder.addEventListener("input", onInput);
  holder.addEventListener("beforeinput", onBeforeInput);
  holder.addEventListener("keydown", onKeyDown, true);
  holder.addEventListener("pointerdown", onPointerDown);
  return () => {
    holder.removeEventListener("input", onInput);
    holder.removeEventListener("beforeinput", onBeforeInput);
    holder.removeEventListener("keydown", onKeyDown, true);
    holder.removeEventListener("pointerdown", onPointerDown);
  };
}

function mark(holder: HTMLElement, recordUndo: () => void): Element | null {
  const caret = textAtCaret(holder);
  const match = caret && typedMark(lineBefore(caret));
  if (!caret || !match) return null;
  const { text, before } = caret;
  const start = before.length - lineBefore(caret).length + match.from;
  const [words, end] = [start + match.opens, before.length - match.closes];
  const element = match.make();
  const signs = [rangeIn(text, end, before.length), rangeIn(text, start, words)];
  if (signs.some(({ startContainer, endContainer }) => isInside(startContainer, "code") || isInside(endContainer, "code"))) return null;
  if (element.localName === "a" && isInside(signs[1]!.startContainer, "a")) return null;
  recordUndo();
  signs[0]!.deleteContents();
  const piece = rangeIn(text, words, end);
  if (element.localName === "code") {
    element.textContent = piece.toString();
    piece.deleteContents();
    piece.insertNode(element);
  } else wrap(piece, element);
  rangeIn(text, start, words).deleteContents();
  putCaretAfter(element);
  return element;
}

const isInside = (node: Node, selector: string): boolean =>
  ((node instanceof Element ? node : node.parentElement)?.closest(selector) ?? null) !== null;

function linkAddress(holder: HTMLElement, back: number, recordUndo: () => void): void {
  const caret = textAtCaret(holder);
  if (!caret) return;
  const line = lineBefore(caret);
  const address = linkBefore(line.slice(0, line.length - back));
  if (!address) return;
  const start = caret.before.length - line.length + address.from;
  const range = rangeIn(caret.text, start, start + address.words.length);
  if (isInside(range.startContainer, "a, code") || isInside(range.endContainer, "a, code")) return;
  recordUndo();
  const link = linkElement(address.href);
  wrap(range, link);
  const behind = rangeIn(caret.text, caret.before.length, caret.before.length);
  if (link.contains(behind.endContainer)) putCaretAfter(link);
  else putCaret(behind.endContainer, behind.endOffset);
}

function markEndedAtCaret(left: Element | null): Element | null {
  const selection = getSelection();
  const node = selection?.focusNode;
  if (!selection?.isCollapsed || !node) return null;
  const before = node instanceof Element ? node.childNodes[selection.focusOffset - 1] : undefined;
  if (before instanceof Element && (before === left || before.localName === "a")) return before;
  for (const element of [left, (node instanceof Element ? node : node.parentElement)?.closest("a") ?? null]) {
    if (element?.contains(node) && isAtEnd(element, node, selection.focusOffset)) return element;
  }
  return null;
}

function codeEndedAtCaret(): Element | null {
  const selection = getSelection();
  const node = selection?.focusNode;
  const code = (node instanceof Element ? node : node?.parentElement)?.closest("code") ?? null;
  return selection?.isCollapsed && node && code && isAtEnd(code, node, selection.focusOffset) ? code : null;
}

function isAtEnd(element: Element, node: Node, offset: number): boolean {
  const rest = document.createRange();
  rest.setStart(node, offset);
  rest.setEnd(element, element.childNodes.length);
  return rest.toString() === "";
}

/** Inserts text after a mark instead of inside it. Returns the text node if it starts with a non-breaking space. */
function writeBehind(mark: Element, words: string): Text | null {
  const holder = mark.closest("[contenteditable=true]");
  const next = mark.nextSibling;
  const text = next instanceof Text ? next : document.createTextNode("");
  if (text !== next) mark.after(text);
  const written = words === " " && (text.length === 0 || /^\s/.test(text.data)) ? "\u00a0" : words; // a normal space isn't visible at the end
  text.insertData(0, written);
  putCaret(text, written.length);
  holder?.dispatchEvent(new InputEvent("input", { inputType: "insertText", data: words, bubbles: true }));
  return written === words ? null : text;
}
