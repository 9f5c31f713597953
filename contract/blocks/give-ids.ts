import type { Block } from "./block-types.ts";
import type { CleanedContent } from "./schema.ts";

/**
 * Gives an id to each block without one, as callers of the API may leave them out. It follows from what the block holds and from how many of
 * the same stand before it: the same content saved twice is the same, and no new version.
 */
export function giveIds(content: CleanedContent): CleanedContent {
  const taken = new Set(content.blocks.flatMap(({ id }) => id ?? []));
  for (const [place, block] of content.blocks.entries()) {
    if (block.id !== undefined) continue;
    const text = JSON.stringify([block.type, block.data] satisfies [Block["type"], unknown]);
    let id = hashOf(text, 0);
    for (let again = 1; taken.has(id); again++) id = hashOf(text, again);
    taken.add(id);
    content.blocks[place] = { id, ...block }; // first, where cleaning has it: the JSON of a content is the same each time
  }
  return content;
}

const idLength = 10;

/** Ten letters and digits that follow from a text and a number; two 32-bit FNV-1a sums, the second from another start. */
function hashOf(text: string, number: number): string {
  let [first, second] = [0x811c9dc5 ^ number, 0x01000193 ^ number];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x01000193);
  }
  return ((BigInt(first >>> 0) << 32n) | BigInt(second >>> 0)).toString(36).padStart(idLength, "0").slice(-idLength);
}
