export interface Entry {
  name: string;
  kind: "file" | "folder";
}

export type TakeEntry = (entry: Entry, pieces: AsyncIterable<Buffer>) => Promise<void>;

export class Damage extends Error {}

export const damage = (error: unknown): Damage => new Damage((error as Error).message);
