import type { Pieces } from "./block-type.ts";
import { blockTypes, namedType } from "./block-types.ts";
import { blockLimits } from "./limits.ts";
import { figure } from "../rules/figure.ts";

const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

const besides = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && !isList(value) ? { ...value, [name]: null } : value;

interface Extent {
  text: number;
  all: number;
  strings: number;
}

const { blockLength, postLength, roomOfBlock, roomOfPiece } = blockLimits;
const mostOfBlock = blockLength + roomOfBlock + blockLimits.listItems * roomOfPiece;
const mostOfPost = postLength + (blockLimits.blocks + 1) * roomOfBlock + blockLimits.pieces * roomOfPiece;

function extentOf(value: unknown, most: number): Extent {
  const waiting: unknown[] = [value];
  const extent = { text: 0, all: 0, strings: 0 };
  for (let next = waiting.pop(); next !== undefined && extent.all <= most; next = waiting.pop()) {
    if (typeof next === "string") {
      extent.text += next.length;
      extent.all += next.length;
      extent.strings += 1;
    } else if (isList(next)) for (const one of next) waiting.push(one ?? 0);
    else if (typeof next === "object" && next !== null)
      for (const [name, one] of Object.entries(next)) {
        extent.all += name.length;
        waiting.push(one ?? 0);
      }
  }
  return extent;
}

function countPieces(block: unknown): Pieces {
  const type = namedType(fieldOf(block, "type"));
  return (type && blockTypes[type].pieces?.(fieldOf(block, "data"))) ?? { pieces: 0, problem: null };
}

/** The error message when content exceeds the limits of a post; else null. Cheap: runs before the text is processed. */
export function boundsProblem(content: unknown): string | null {
  const blocks = isList(content) ? content : fieldOf(content, "blocks");
  if (!isList(blocks)) return null;
  if (blocks.length > blockLimits.blocks) return `A post can have at most ${figure(blockLimits.blocks)} blocks`;
  const longBlock = `A block can have at most ${figure(blockLength)} characters`;
  const longPost = `A post can have at most ${figure(postLength)} characters`;
  let { all } = extentOf(isList(content) ? null : besides(content, "blocks"), mostOfPost);
  let text = 0;
  let strings = 0;
  let pieces = 0;
  for (const block of blocks) {
    const count = countPieces(block);
    if (count.problem !== null) return count.problem;
    pieces += count.pieces;
    if (pieces > blockLimits.pieces) return `A post can have at most ${figure(blockLimits.pieces)} list items and table cells`;
    const data = extentOf(fieldOf(block, "data"), mostOfBlock);
    if (data.text > blockLength) return longBlock;
    const ofBlock = data.all + extentOf(besides(block, "data"), mostOfBlock).all;
    if (ofBlock > blockLength + roomOfBlock + Math.min(data.strings, blockLimits.listItems) * roomOfPiece) return longBlock;
    text += data.text;
    if (text > postLength) return longPost;
    all += ofBlock;
    strings += data.strings;
  }
  const room = (blocks.length + 1) * roomOfBlock + Math.min(strings, blockLimits.pieces) * roomOfPiece;
  return all > postLength + room ? longPost : null;
}
