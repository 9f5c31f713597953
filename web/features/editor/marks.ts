import { textOf } from "./text-at-caret.ts";

/** Inline marks; Editor.js recognises some by class. */
export type Mark = "b" | "i" | "s" | "code" | "mark";
const classOf: Partial<Record<Mark, string>> = { code: "inline-code", mark: "cdx-marker" };

export function markElement(mark: Mark): HTMLElement {
  const element = document.createElement(mark);
  const name = classOf[mark];
  if (name !== undefined) element.className = name;
  return element;
}

export function linkElement(href: string): HTMLElement {
  const link = document.createElement("a");
  link.setAttribute("href", href);
  return link;
}

/** Wraps a range of one text in an element, replacing elements of the same tag inside. */
export function wrap(range: Range, element: HTMLElement): void {
  const piece = range.extractContents();
  unwrapWithin(piece, element.localName);
  element.append(piece);
  range.insertNode(element);
  for (const side of [element.previousSibling, element.nextSibling]) if (isHollow(side)) side?.remove();
}

export function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

function unwrapWithin(root: ParentNode, tag: string): void {
  for (const element of root.querySelectorAll(tag)) unwrap(element);
}

/** True for an element that `extractContents` left empty. */
const isHollow = (node: ChildNode | null): boolean => node instanceof Element && node.textContent === "" && !node.querySelector("br");

/** The selected range within one text; null if nothing or more than one text is selected. */
export function selectedPiece(holder: HTMLElement): Range | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const text = textOf(range.startContainer);
  return text !== null && text === textOf(range.endContainer) && holder.contains(text) ? range.cloneRange() : null;
}

export function isMarked(range: Range, tag: string): boolean {
  const texts = textsIn(range);
  return texts.length > 0 && texts.every((text) => text.parentElement?.closest(tag));
}

function textsIn(range: Range): Text[] {
  const walker = document.createTreeWalker(range.commonAncestorContainer, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  if (range.commonAncestorContainer instanceof Text) return [range.commonAncestorContainer];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || !range.intersectsNode(node)) continue;
    const isOutside =
      (node === range.startContainer && range.startOffset === node.length) || (node === range.endContainer && range.endOffset === 0);
    if (!isOutside && node.length > 0) texts.push(node);
  }
  return texts;
}

export function toggleMark(range: Range, mark: Mark): void {
  const first = document.createTextNode("");
  const last = document.createTextNode("");
  if (isMarked(range, mark)) {
    const outer = markAround(range, mark);
    const piece = range.extractContents();
    unwrapWithin(piece, mark);
    piece.prepend(first);
    piece.append(last);
    if (outer === null) range.insertNode(piece);
    else {
      range.setEndAfter(outer);
      const rest = range.extractContents();
      outer.after(piece, rest);
      for (const side of [outer, last.nextSibling]) if (isHollow(side)) side?.remove();
    }
  } else {
    const element = markElement(mark);
    wrap(range, element);
    element.prepend(first);
    element.append(last);
  }
  getSelection()?.setBaseAndExtent(first, 0, last, 0);
}

function markAround(range: Range, tag: string): Element | null {
  const { commonAncestorContainer: node } = range;
  return (node instanceof Element ? node : node.parentElement)?.closest(tag) ?? null;
}
