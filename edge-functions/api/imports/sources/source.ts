import type { askedSources } from "#contract/imports.ts";
import type { Asking } from "../asking.ts";

/** What somebody wants of a source. */
export interface Wish {
  address: string;
  key: string;
  after: string | null;
}

/** A piece of what a source holds, for the adapter in the browser: `name` says which piece it is. */
export interface Piece {
  name: string;
  text: string;
  /** Where people find what is read, or where it was read. */
  address: string;
  /** What `after` is to be for the piece behind it; null: there is none. */
  next: string | null;
}

export type AskedSource = (typeof askedSources)[number];

/** How the server of a source is asked for a piece. */
export type Source = (asking: Asking, wish: Wish) => Promise<Piece>;
