import { imageMaxSide } from "../limits.ts";

/**
 * Bounds of one post, far beyond what anybody writes. A post beyond them is refused whole, with a sentence (./bounds.ts), before anything is
 * done with its text; the SQL is filled with the same numbers. Lengths count the characters of all strings in the blocks' data, marks and
 * addresses included. What else is kept (names of fields, ids, whatever stands beside the data) counts, too, beyond the room that is left for it:
 * more than the format itself takes for any block and piece.
 */
export const blockLimits = {
  blocks: 1_000,
  blockLength: 50_000,
  postLength: 300_000,
  roomOfBlock: 500,
  roomOfPiece: 64,
  listDepth: 8,
  listItems: 1_000,
  /** List items and table cells of a whole post. */
  pieces: 10_000,
  tableRows: 200,
  tableColumns: 30,
  urlLength: 2_048,
  imageSide: imageMaxSide,
} as const;

/** Characters of a post in Markdown: more than the largest becomes in it. */
export const markdownMaxLength = 400_000;

export const counterTypes = ["numeric", "lower-roman", "upper-roman", "lower-alpha", "upper-alpha"] as const;

/** What an id may be; Editor.js makes ten characters of these. */
export const blockId = /^[\w-]{1,64}$/;
