import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { ImportSource, PreparedPost } from "#importers/entry.ts";
import type { KeptPicture } from "./pictures.ts";

/** An import that has begun and is not through, as this device keeps it: with its posts and pictures, so that it goes on without the file. */
export interface KeptImport {
  id: string;
  /** The person's id and the workspace's: a shared computer keeps people apart. */
  key: string;
  source: ImportSource;
  name: string;
  total: number;
  /** What is in the source and in no post, counted; absent of an import that began before this was kept. */
  leftOut?: readonly string[];
  /** Milliseconds since 1970, by this device's clock: only compared with itself. */
  at: number;
}

/** The key of a person's imports in a workspace. */
export const keyOf = (personId: string, workspaceId: string): string => `${personId}:${workspaceId}`;

interface Imports extends DBSchema {
  imports: { key: string; value: KeptImport; indexes: { key: string } };
  /** Posts in pieces, by the import and the piece's place. */
  posts: { key: [string, number]; value: PreparedPost[] };
  /** Pictures that came along, by the import and their path. */
  pictures: { key: [string, string]; value: Uint8Array };
  /** What became of pictures, by the import and their address. */
  kept: { key: [string, string]; value: KeptPicture };
}

const everythingOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id], [id, []]);
const postsAtOnce = 25;

let opening: Promise<IDBPDatabase<Imports>> | null = null;

function open(): Promise<IDBPDatabase<Imports>> {
  opening ??= openDB<Imports>("tidings-imports", 1, {
    upgrade: (database) => {
      database.createObjectStore("imports", { keyPath: "id" }).createIndex("key", "key");
      database.createObjectStore("posts");
      database.createObjectStore("pictures");
      database.createObjectStore("kept");
    },
    blocking: (_version, _wanted, { target }) => {
      (target as IDBDatabase).close(); // another tab wants a newer format
      opening = null;
    },
    terminated: () => (opening = null),
  });
  opening.catch(() => (opening = null)); // ask again next time
  return opening;
}

/** Keeps an import with all it needs; throws where the browser keeps nothing, or has no room. */
export async function keepImport(
  kept: KeptImport,
  posts: readonly PreparedPost[],
  pictures: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const database = await open();
  for (let from = 0; from < posts.length; from += postsAtOnce) {
    await database.put("posts", posts.slice(from, from + postsAtOnce), [kept.id, from / postsAtOnce]);
  }
  for (const [path, bytes] of pictures) await database.put("pictures", bytes, [kept.id, path]);
  await database.put("imports", kept); // last: what is found is whole
}

/** Those of a person in a workspace, latest first; none where the browser keeps nothing. */
export async function keptImports(key: string): Promise<KeptImport[]> {
  const found = await (await open()).getAllFromIndex("imports", "key", key);
  return found.sort((one, other) => other.at - one.at);
}

/** The server fetches pictures anew then, and lets go of those that no post shows a few days later: what was kept may be gone. */
const picturesStayMs = 21 * 86_400_000;

/** What an import still needs; `at` is when it began. */
export async function readKeptImport(id: string, at: number) {
  const areGone = Date.now() - at > picturesStayMs;
  const database = await open();
  const [pieces, kept, keptNames] = await Promise.all([
    database.getAll("posts", everythingOf(id)),
    database.getAll("kept", everythingOf(id)),
    database.getAllKeys("kept", everythingOf(id)),
  ]);
  return {
    posts: pieces.flat(),
    /** What became of pictures, by their addresses. */
    kept: new Map(areGone ? [] : keptNames.map(([, address], place) => [address, kept[place]!])),
    /** One that came along; read when it is its turn. */
    picture: async (path: string): Promise<Uint8Array | undefined> => (await open()).get("pictures", [id, path]),
  };
}

export async function keepPictureResult(id: string, address: string, result: KeptPicture): Promise<void> {
  await (await open()).put("kept", result, [id, address]);
}

/** Through, taken back, or nobody wants it any more. */
export async function forgetImport(id: string): Promise<void> {
  const database = await open();
  const work = database.transaction(["imports", "posts", "pictures", "kept"], "readwrite");
  await Promise.all([
    work.objectStore("imports").delete(id),
    ...(["posts", "pictures", "kept"] as const).map((name) => work.objectStore(name).delete(everythingOf(id))),
    work.done,
  ]);
}
