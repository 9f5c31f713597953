import { blockLimits } from "./limits.ts";

const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
const number = (count: number): string => count.toLocaleString("en-US");

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

interface Count {
  pieces: number;
  problem: string | null;
}

/** The items of a list on all its levels. */
function countItems(items: unknown): Count {
  let pieces = 0;
  let level = isList(items) ? items : [];
  for (let depth = 1; level.length > 0; depth++) {
    pieces += level.length;
    if (pieces > blockLimits.listItems) return { pieces, problem: `A list can have at most ${number(blockLimits.listItems)} items` };
    if (depth > blockLimits.listDepth) return { pieces, problem: `A list can have at most ${blockLimits.listDepth} levels` };
    level = level.flatMap((item) => fieldOf(item, "items") ?? []);
  }
  return { pieces, problem: null };
}

/** The cells of a table when every row is as wide as the widest. */
function countCells(content: unknown): Count {
  const rows = isList(content) ? content : [];
  if (rows.length > blockLimits.tableRows) return { pieces: 0, problem: `A table can have at most ${blockLimits.tableRows} rows` };
  const columns = rows.reduce<number>((most, row) => Math.max(most, isList(row) ? row.length : 0), 0);
  const problem = columns > blockLimits.tableColumns ? `A table can have at most ${blockLimits.tableColumns} columns` : null;
  return { pieces: rows.length * columns, problem };
}

function countPieces(block: unknown): Count {
  const data = fieldOf(block, "data");
  switch (fieldOf(block, "type")) {
    case "list":
    case "checklist":
      return countItems(fieldOf(data, "items"));
    case "table":
      return countCells(fieldOf(data, "content"));
    default:
      return { pieces: 0, problem: null };
  }
}

/**
 * Why content, cleaned or not, is too much for one post, as a sentence; null when it is not. Cheap: it is asked before anything is done with the
 * text. Source: product decision 22.
 */
export function boundsProblem(content: unknown): string | null {
  const blocks = isList(content) ? content : fieldOf(content, "blocks");
  if (!isList(blocks)) return null;
  if (blocks.length > blockLimits.blocks) return `A post can have at most ${number(blockLimits.blocks)} blocks`;
  let length = 0;
  let pieces = 0;
  for (const block of blocks) {
    const count = countPieces(block);
    if (count.problem !== null) return count.problem;
    pieces += count.pieces;
    if (pieces > blockLimits.pieces) return `A post can have at most ${number(blockLimits.pieces)} list items and table cells`;
    const ofBlock = lengthOf(fieldOf(block, "data"), blockLimits.blockLength);
    if (ofBlock > blockLimits.blockLength) return `A block can have at most ${number(blockLimits.blockLength)} characters`;
    length += ofBlock;
    if (length > blockLimits.postLength) return `A post can have at most ${number(blockLimits.postLength)} characters`;
  }
  return null;
}
