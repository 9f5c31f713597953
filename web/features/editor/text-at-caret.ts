/** The editable text with the caret and its content before the caret; a line break counts as one character. */
export interface TextAtCaret {
  text: HTMLElement;
  before: string;
}

/** Null if the caret isn't in a text of the editor. Code blocks are separate fields. */
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

export function rangeIn(text: HTMLElement, from: number, to: number): Range {
  const range = document.createRange();
  range.selectNodeContents(text);
  let at = 0;
  let isStarted = false;
  for (const leaf of leavesOf(text)) {
    const length = leaf instanceof Text ? leaf.length : 1;
    // A position between two nodes starts in the second and ends in the first, so elements around the range stay outside.
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
