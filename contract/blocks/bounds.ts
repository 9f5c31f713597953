import type { Pieces } from "./block-type.ts";
import { blockTypes, namedType } from "./block-types.ts";
import { blockLimits } from "./limits.ts";
import { figure } from "../rules/figure.ts";

const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** The characters of all strings in a value; stops at more than `most`. Looks at lengths only, and as deep as the value goes. */
function lengthOf(value: unknown, most: number): number {
  const waiting: unknown[] = [value];
  let length = 0;
  for (let next = waiting.pop(); next !== undefined && length <= most; next = waiting.pop()) {
    if (typeof next === "string") length += next.length;
    else if (isList(next)) for (const one of next) waiting.push(one ?? "");
    else if (typeof next === "object" && next !== null) for (const one of Object.values(next)) waiting.push(one ?? "");
  }
  return length;
}

function countPieces(block: unknown): Pieces {
  const type = namedType(fieldOf(block, "type"));
  return (type && blockTypes[type].pieces?.(fieldOf(block, "data"))) ?? { pieces: 0, problem: null };
}

/**
 * Why content, cleaned or not, is too much for one post, as a sentence; null when it is not. Cheap: it is asked before anything is done with the
 * text. Source: product decision 22.
 */
export function boundsProblem(content: unknown): string | null {
  const blocks = isList(content) ? content : fieldOf(content, "blocks");
  if (!isList(blocks)) return null;
  if (blocks.length > blockLimits.blocks) return `A post can have at most ${figure(blockLimits.blocks)} blocks`;
  let length = 0;
  let pieces = 0;
  for (const block of blocks) {
    const count = countPieces(block);
    if (count.problem !== null) return count.problem;
    pieces += count.pieces;
    if (pieces > blockLimits.pieces) return `A post can have at most ${figure(blockLimits.pieces)} list items and table cells`;
    const ofBlock = lengthOf(fieldOf(block, "data"), blockLimits.blockLength);
    if (ofBlock > blockLimits.blockLength) return `A block can have at most ${figure(blockLimits.blockLength)} characters`;
    length += ofBlock;
    if (length > blockLimits.postLength) return `A post can have at most ${figure(blockLimits.postLength)} characters`;
  }
  return null;
}
