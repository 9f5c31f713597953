import type { Block } from "./block-types.ts";
import type { CleanedContent } from "./schema.ts";

/**
 * Gives an id to each block without one, as callers of the API may leave them out. It follows from what the block holds and from how many of
 * the same stand before it: the same content saved twice is the same, and no new version.
 */
export function giveIds(content: CleanedContent): CleanedContent {
  const taken = new Set(content.blocks.flatMap(({ id }) => id ?? []));
  const tries = new Map<string, number>(); // by first id: blocks that are alike go on where the one before them ended
  for (const [place, block] of content.blocks.entries()) {
    if (block.id !== undefined) continue;
    const hash = hashOf(JSON.stringify([block.type, block.data] satisfies [Block["type"], unknown]));
    const first = idOf(hash, 0);
    let again = tries.get(first) ?? 0;
    let id = idOf(hash, again);
    while (taken.has(id)) id = idOf(hash, ++again);
    tries.set(first, again + 1);
    taken.add(id);
    content.blocks[place] = { id, ...block }; // first, where cleaning has it: the JSON of a content is the same each time
  }
  return content;
}

const idLength = 10;

/** Two 32-bit FNV-1a sums of a text, the second from another start. */
type Hash = [first: number, second: number];

function hashOf(text: string): Hash {
  let [first, second] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x01000193);
  }
  return [first, second];
}

/** Ten letters and digits that follow from a hash and a number, without a look at the text again. */
function idOf([first, second]: Hash, number: number): string {
  const mixed = (first ^ Math.imul(number, 0x9e3779b1)) >>> 0;
  return ((BigInt(mixed) << 32n) | BigInt(second >>> 0)).toString(36).padStart(idLength, "0").slice(-idLength);
}
