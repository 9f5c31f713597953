import type { Block } from "./block-types.ts";
import type { CleanedContent } from "./schema.ts";

/** Adds missing ids, derived from content and the number of equal blocks before: saving the same content twice creates no version. */
export function giveIds(content: CleanedContent): CleanedContent {
  const usedIds = new Set(content.blocks.flatMap(({ id }) => id ?? []));
  const tries = new Map<string, number>(); // by first id: equal blocks continue where the previous one ended
  for (const [place, block] of content.blocks.entries()) {
    if (block.id !== undefined) continue;
    const hash = hashOf(JSON.stringify([block.type, block.data] satisfies [Block["type"], unknown]));
    const first = idOf(hash, 0);
    let repetitions = tries.get(first) ?? 0;
    let id = idOf(hash, repetitions);
    while (usedIds.has(id)) id = idOf(hash, ++repetitions);
    tries.set(first, repetitions + 1);
    usedIds.add(id);
    content.blocks[place] = { id, ...block };
  }
  return content;
}

const idLength = 10;

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

function idOf([first, second]: Hash, number: number): string {
  const mixed = (first ^ Math.imul(number, 0x9e3779b1)) >>> 0;
  return ((BigInt(mixed) << 32n) | BigInt(second >>> 0)).toString(36).padStart(idLength, "0").slice(-idLength);
}
