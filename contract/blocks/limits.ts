import { imageMaxSide } from "../limits.ts";

/**
 * Limits of one post, checked in ./bounds.ts before processing; the database has the same numbers. Lengths count all strings in the blocks'
 * data, marks and URLs included. Field names, ids and other data count too, beyond an allowance above what the format needs per block and
 * piece.
 */
export const blockLimits = {
  blocks: 1_000,
  blockLength: 50_000,
  postLength: 300_000,
  roomOfBlock: 500,
  roomOfPiece: 64,
  listDepth: 8,
  listItems: 1_000,
  pieces: 10_000,
  tableRows: 200,
  tableColumns: 30,
  urlLength: 2_048,
  imageSide: imageMaxSide,
} as const;

/** Characters of Markdown; the largest post fits. */
export const markdownMaxLength = 400_000;

export const counterTypes = ["numeric", "lower-roman", "upper-roman", "lower-alpha", "upper-alpha"] as const;

export const blockId = /^[\w-]{1,64}$/;
