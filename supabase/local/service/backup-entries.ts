/** A file or folder in a backup; name relative to the data folder, with slashes. */
export interface Entry {
  name: string;
  kind: "file" | "folder";
}

export type TakeEntry = (entry: Entry, pieces: AsyncIterable<Buffer>) => Promise<void>;

/** The backup is corrupt. */
export class Damage extends Error {}

export const damage = (error: unknown): Damage => new Damage((error as Error).message);
