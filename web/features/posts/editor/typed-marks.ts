import { addressBefore, addressOf } from "./addresses.ts";
import { linkElement, type Mark, markElement, wrap } from "./marks.ts";
import { lineBefore, putCaret, putCaretAfter, rangeIn, textAtCaret } from "./text-at-caret.ts";

/** What a line says in Markdown right before the caret: how many characters open and close it, and what it becomes. */
export interface TypedMark {
  /** Where the sign that opens it begins. */
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
const reach = 1_000; // characters: nobody marks more by hand, and each key looks at them

export function typedMark(line: string): TypedMark | null {
  if (!closing.has(line.at(-1) ?? "")) return null;
  const skipped = Math.max(0, line.length - reach);
  const end = line.slice(skipped);
  for (const [pattern, sign, mark] of signs) {
    const found = pattern.exec(end);
    if (found) return { from: skipped + found.index, opens: sign, closes: sign, make: () => markElement(mark) };
  }
  const found = link.exec(end);
  const href = found && addressOf(found[2]!);
  if (!found || !href) return null;
  return { from: skipped + found.index, opens: 1, closes: found[2]!.length + 3, make: () => linkElement(href) };
}

/**
 * Markdown inside a line becomes marks when its last sign is typed, an address a link when a blank or Enter follows. `remember` is asked before:
 * undo leads back to what was typed. Behind a mark that was made so, and behind any link, one writes on without it. Returns how to stop.
 */
export function listenForTypedMarks(holder: HTMLElement, remember: () => void): () => void {
  let left: Element | null = null; // the mark one has just written to its end
  let isFresh = false; // what stands before the caret has just been typed: a link that was taken off stays off
  let blank: Text | null = null; // begins with a blank that does not break: at the end of a text no other shows

  const onInput = (event: Event) => {
    if (!(event instanceof InputEvent) || event.inputType !== "insertText" || event.isComposing) return;
    if (blank && /^\u00a0[^\s]/.test(blank.data)) blank.replaceData(0, 1, " ");
    if (blank && !blank.data.startsWith("\u00a0")) blank = null;
    const last = event.data?.at(-1) ?? "";
    const wasFresh = isFresh;
    isFresh = last.trim() !== "";
    if (!isFresh && wasFresh) linkAddress(holder, 1, remember);
    else if (closing.has(last)) left = mark(holder, remember) ?? left;
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
    if (event.key === "Enter" && isFresh) linkAddress(holder, 0, remember);
    // Inline code has no place behind it for the caret of a browser: the arrow leaves it, what is typed next stands behind.
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

function mark(holder: HTMLElement, remember: () => void): Element | null {
  const caret = textAtCaret(holder);
  const found = caret && typedMark(lineBefore(caret));
  if (!caret || !found) return null;
  const { text, before } = caret;
  const start = before.length - lineBefore(caret).length + found.from;
  const [words, end] = [start + found.opens, before.length - found.closes];
  const element = found.make();
  const signs = [rangeIn(text, end, before.length), rangeIn(text, start, words)];
  if (signs.some(({ startContainer, endContainer }) => isInside(startContainer, "code") || isInside(endContainer, "code"))) return null;
  if (element.localName === "a" && isInside(signs[1]!.startContainer, "a")) return null;
  remember();
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

/** Links the address that ends so many characters before the caret. */
function linkAddress(holder: HTMLElement, back: number, remember: () => void): void {
  const caret = textAtCaret(holder);
  if (!caret) return;
  const line = lineBefore(caret);
  const address = addressBefore(line.slice(0, line.length - back));
  if (!address) return;
  const start = caret.before.length - line.length + address.from;
  const range = rangeIn(caret.text, start, start + address.words.length);
  if (isInside(range.startContainer, "a, code") || isInside(range.endContainer, "a, code")) return;
  remember();
  const link = linkElement(address.href);
  wrap(range, link);
  const behind = rangeIn(caret.text, caret.before.length, caret.before.length);
  if (link.contains(behind.endContainer)) putCaretAfter(link);
  else putCaret(behind.endContainer, behind.endOffset);
}

/** The mark at whose end the caret stands and that does not go on: the one just made, or a link. */
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

/** Writes behind a mark what a browser would write into it. Answers the text when it begins with a blank that does not break. */
function writeBehind(mark: Element, words: string): Text | null {
  const holder = mark.closest("[contenteditable=true]");
  const next = mark.nextSibling;
  const text = next instanceof Text ? next : document.createTextNode("");
  if (text !== next) mark.after(text);
  const written = words === " " && (text.length === 0 || /^\s/.test(text.data)) ? "\u00a0" : words; // a blank at an end shows only so
  text.insertData(0, written);
  putCaret(text, written.length);
  holder?.dispatchEvent(new InputEvent("input", { inputType: "insertText", data: words, bubbles: true }));
  return written === words ? null : text;
}
