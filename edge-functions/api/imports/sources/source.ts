import type { askedSources } from "#contract/imports.ts";
import type { Asking } from "../asking.ts";

export interface Wish {
  address: string;
  key: string;
  after: string | null;
}

export interface Piece {
  name: string;
  text: string;
  address: string;
  next: string | null;
}

export type AskedSource = (typeof askedSources)[number];

export type Source = (asking: Asking, wish: Wish) => Promise<Piece>;
