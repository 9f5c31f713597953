/** The text somebody writes in and what stands in it before the caret; a line break counts as one character. */
export interface TextAtCaret {
  text: HTMLElement;
  before: string;
}

/** Null without a caret in a text of the editor; a code block is a field of its own. */
export function textAtCaret(holder: HTMLElement): TextAtCaret | null {
  const selection = getSelection();
  const node = selection?.focusNode;
  if (!selection?.isCollapsed || !node || !holder.contains(node)) return null;
  const text = textOf(node);
  if (text === null) return null;
  const range = document.createRange();
  range.setStart(text, 0);
  range.setEnd(node, selection.focusOffset);
  return { text, before: wordsOf(range.cloneContents()) };
}

export const textOf = (node: Node): HTMLElement | null =>
  (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>("[contenteditable=true]") ?? null;

/** What stands on the line of the caret before it. */
export const lineBefore = ({ before }: TextAtCaret): string => before.slice(before.lastIndexOf("\n") + 1);

function wordsOf(root: Node): string {
  let words = "";
  for (const leaf of leavesOf(root)) words += leaf instanceof Text ? leaf.data : "\n";
  return words;
}

function leavesOf(root: Node): (Text | Element)[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  const leaves: (Text | Element)[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text || (node instanceof Element && node.tagName === "BR")) leaves.push(node);
  }
  return leaves;
}

/** The piece of a text between two places, counted as `textAtCaret` counts. */
export function rangeIn(text: HTMLElement, from: number, to: number): Range {
  const range = document.createRange();
  range.selectNodeContents(text);
  let at = 0;
  let isStarted = false;
  for (const leaf of leavesOf(text)) {
    const length = leaf instanceof Text ? leaf.length : 1;
    // A place between two nodes begins in the second and ends in the first: what is around the piece stays outside of it.
    if (!isStarted && from < at + length) {
      if (leaf instanceof Text) range.setStart(leaf, from - at);
      else range.setStartBefore(leaf);
      isStarted = true;
    }
    if (to <= at + length) {
      if (leaf instanceof Text) range.setEnd(leaf, to - at);
      else range.setEndAfter(leaf);
      if (!isStarted) range.collapse(false);
      return range;
    }
    at += length;
  }
  if (!isStarted) range.collapse(false);
  return range;
}

export function putCaret(node: Node, offset: number): void {
  getSelection()?.collapse(node, offset);
}

export function putCaretAfter(node: Node): void {
  const parent = node.parentNode;
  if (parent) putCaret(parent, [...parent.childNodes].indexOf(node as ChildNode) + 1);
}
