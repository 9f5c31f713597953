import type { DBSchema } from "idb";
import type { ImportSource, PreparedPost } from "#importers/entry.ts";
import { openOnce } from "../../lib/open-once.ts";
import type { ImageResult } from "./pictures.ts";

/** An unfinished import stored on this device, with posts and images, so it can continue without the file. */
export interface StoredImport {
  id: string;
  /** User and workspace id: separates users of a shared computer. */
  key: string;
  source: ImportSource;
  name: string;
  total: number;
  /** Content left out of all posts; absent in older entries. */
  leftOut?: readonly string[];
  /** Start in ms since 1970, by this device's clock. */
  at: number;
}

export const keyOf = (personId: string, workspaceId: string): string => `${personId}:${workspaceId}`;

interface Imports extends DBSchema {
  imports: { key: string; value: StoredImport; indexes: { key: string } };
  /** Batches of posts by import and batch number. */
  posts: { key: [string, number]; value: PreparedPost[] };
  /** Image files by import and path. */
  pictures: { key: [string, string]; value: Uint8Array };
  /** Image results by import and URL. */
  kept: { key: [string, string]; value: ImageResult };
}

const entriesOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id], [id, []]);
const postsPerBatch = 25;

const open = openOnce<Imports>("tidings-imports", (database) => {
  database.createObjectStore("imports", { keyPath: "id" }).createIndex("key", "key");
  database.createObjectStore("posts");
  database.createObjectStore("pictures");
  database.createObjectStore("kept");
});

/** Throws if storage is blocked or full. */
export async function storeImport(
  kept: StoredImport,
  posts: readonly PreparedPost[],
  pictures: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const database = await open();
  for (let from = 0; from < posts.length; from += postsPerBatch) {
    await database.put("posts", posts.slice(from, from + postsPerBatch), [kept.id, from / postsPerBatch]);
  }
  for (const [path, bytes] of pictures) await database.put("pictures", bytes, [kept.id, path]);
  await database.put("imports", kept); // last: only complete imports are listed
}

/** The user's imports in a workspace, latest first. */
export async function storedImports(key: string): Promise<StoredImport[]> {
  const imports = await (await open()).getAllFromIndex("imports", "key", key);
  return imports.sort((one, other) => other.at - one.at);
}

/** Expiry of image results: the server deletes unused images after some days. */
const imageLifetimeMs = 21 * 86_400_000;

/** `at`: start of the import. */
export async function readStoredImport(id: string, at: number) {
  const areExpired = Date.now() - at > imageLifetimeMs;
  const database = await open();
  const [pieces, kept, keptNames] = await Promise.all([
    database.getAll("posts", entriesOf(id)),
    database.getAll("kept", entriesOf(id)),
    database.getAllKeys("kept", entriesOf(id)),
  ]);
  return {
    posts: pieces.flat(),
    /** Image results by URL. */
    kept: new Map(areExpired ? [] : keptNames.map(([, address], place) => [address, kept[place]!])),
    /** An image file, read on demand. */
    picture: async (path: string): Promise<Uint8Array | undefined> => (await open()).get("pictures", [id, path]),
  };
}

export async function storeImageResult(id: string, address: string, result: ImageResult): Promise<void> {
  await (await open()).put("kept", result, [id, address]);
}

export async function deleteStoredImport(id: string): Promise<void> {
  const database = await open();
  const work = database.transaction(["imports", "posts", "pictures", "kept"], "readwrite");
  await Promise.all([
    work.objectStore("imports").delete(id),
    ...(["posts", "pictures", "kept"] as const).map((name) => work.objectStore(name).delete(entriesOf(id))),
    work.done,
  ]);
}
