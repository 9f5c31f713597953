import type { Block } from "#contract/blocks/schema.ts";
import type { ListLine } from "./list-block.ts";

export const lineEnd = Symbol("line end");
export const edge = Symbol("edge");

/** A list before nesting. `word`: the id of the Word list a line belongs to. */
export interface ListPiece {
  lines: ListLine[];
  word: string | null;
}

export type Piece = string | typeof lineEnd | typeof edge | ListPiece | Block;

export const isListPiece = (piece: Piece | undefined): piece is ListPiece => typeof piece === "object" && "lines" in piece;

export interface Inside {
  within(element: Element): Piece[];
  blocks(pieces: readonly Piece[]): Block[];
  flat(pieces: readonly Piece[]): { lines: string[]; images: Block[] };
  lines(element: Element): string;
  source(element: Element): string;
  apart(pieces: readonly Piece[]): Piece[];
  /** Sets a caption on the only block that can have one, else adds a paragraph. */
  captioned(blocks: Block[], caption: string): Block[];
  hasText(line: string): boolean;
}

/** Reads a pasted element as blocks; null if it doesn't apply. */
export type HtmlReader = (element: Element, inside: Inside) => Piece[] | null;
