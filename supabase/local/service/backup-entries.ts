/** A file or folder of a backup, named by its path below the data folder, with slashes. */
export interface Entry {
  name: string;
  kind: "file" | "folder";
}

/** Takes an entry; its pieces must be read to their end. */
export type TakeEntry = (entry: Entry, pieces: AsyncIterable<Buffer>) => Promise<void>;

/** What was read is not what was written. */
export class Damage extends Error {}

export const damage = (error: unknown): Damage => new Damage((error as Error).message);
