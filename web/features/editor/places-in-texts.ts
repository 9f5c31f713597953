interface Place {
  node: Node;
  offset: number;
}

export const textsOf = (block: Element): HTMLElement[] => [
  ...block.querySelectorAll<HTMLElement>("[contenteditable=true], textarea, input"),
];

/** Number of characters of a text before a DOM position; the full length if the position is elsewhere. */
export function lengthTo(text: HTMLElement, { node, offset }: Place): number {
  const range = document.createRange();
  range.selectNodeContents(text);
  if (text.contains(node)) range.setEnd(node, offset);
  return range.toString().length;
}

/** The DOM position after `length` characters; the end if there are fewer. */
export function placeAt(text: HTMLElement, length: number): Place {
  let left = length;
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (left <= node.length) return { node, offset: left };
    left -= node.length;
  }
  return { node: text, offset: text.childNodes.length };
}
