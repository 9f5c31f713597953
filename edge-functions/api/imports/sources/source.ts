import type { askedSources } from "#contract/imports.ts";
import type { SourceClient } from "../source-client.ts";

export interface SourceQuery {
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

export type Source = (client: SourceClient, query: SourceQuery) => Promise<Piece>;
