/** A place in the DOM, as selections have it. */
interface Place {
  node: Node;
  offset: number;
}

/** All that one can write in in a block, in order. */
export const textsOf = (block: Element): HTMLElement[] => [
  ...block.querySelectorAll<HTMLElement>("[contenteditable=true], textarea, input"),
];

/** How many characters of a text stand before a place; all of them for a place elsewhere. */
export function lengthTo(text: HTMLElement, { node, offset }: Place): number {
  const range = document.createRange();
  range.selectNodeContents(text);
  if (text.contains(node)) range.setEnd(node, offset);
  return range.toString().length;
}

/** The place behind so many characters; behind all of them where there are fewer. */
export function placeAt(text: HTMLElement, length: number): Place {
  let left = length;
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (left <= node.length) return { node, offset: left };
    left -= node.length;
  }
  return { node: text, offset: text.childNodes.length };
}
