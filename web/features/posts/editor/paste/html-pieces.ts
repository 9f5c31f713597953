import type { Block } from "#contract/blocks/schema.ts";
import type { ListLine } from "./list-block.ts";

export const lineEnd = Symbol("line end");
/** Where a paragraph begins or ends. */
export const edge = Symbol("edge");

/** A list before its lines are put below each other. Word writes each line by itself: `word` names the list that it belongs to. */
export interface ListPiece {
  lines: ListLine[];
  word: string | null;
}

/** Inline HTML, what parts it, and what stands for itself. */
export type Piece = string | typeof lineEnd | typeof edge | ListPiece | Block;

export const isListPiece = (piece: Piece | undefined): piece is ListPiece => typeof piece === "object" && "lines" in piece;

/** What a reader of one element is given for what is inside. */
export interface Inside {
  within(element: Element): Piece[];
  blocks(pieces: readonly Piece[]): Block[];
  /** Lines of text, and the pictures, which no line can hold. */
  flat(pieces: readonly Piece[]): { lines: string[]; pictures: Block[] };
  /** All lines of an element, as one text. */
  lines(element: Element): string;
  /** Text as it is, with the line ends that its elements make. */
  source(element: Element): string;
  /** Pieces that stand in paragraphs of their own. */
  apart(pieces: readonly Piece[]): Piece[];
  /** Blocks with a caption: as that of the one block that can have one, else as a paragraph below. */
  captioned(blocks: Block[], caption: string): Block[];
  hasText(line: string): boolean;
}

/** How an element of pasted HTML becomes blocks; null: it is no such block. */
export type HtmlReader = (element: Element, inside: Inside) => Piece[] | null;
