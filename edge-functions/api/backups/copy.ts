import { exportFormat } from "#contract/export-format.ts";
import { exportedLists, exportedObjects } from "#contract/workspace-export.ts";
import type { RowsPage } from "../../_shared/rows-page.ts";
import { sha256 } from "./bucket.ts";
import { objectIn } from "./rows-in.ts";
import { DamagedCopy, type Entry, entriesOf, ZipWriter } from "./zip.ts";

export const copyFormat = "tidings-backup-1";

export interface Manifest {
  format: typeof copyFormat;
  made_at: string;
  workspace: { id: string; name: string; subdomain: string };
  /** Subscribers are restored for this owner only. */
  owner: string;
  posts: number;
  images: number;
  missing: string[];
  entries: Record<string, string>;
  /** Proof of origin: the encrypted SHA-256 of everything above, which only this installation can create. */
  seal: string;
}

type ReadPart = (part: string, after: string | null) => Promise<RowsPage>;

export interface CopyAsked {
  workspace: Manifest["workspace"];
  owner: string;
  read: ReadPart;
  picture: (bucket: string, path: string) => Promise<Uint8Array | null>;
  seal: (hash: string) => Promise<string>;
  now: Date;
}

export interface Copied {
  posts: number;
  images: number;
}

export async function* copyOf({ workspace, owner, read, picture, seal, now }: CopyAsked, copied: Copied): AsyncGenerator<Uint8Array, void> {
  const zip = new ZipWriter(now);
  const hashes: Record<string, string> = {};
  const add = async (entry: Entry, deflated = true): Promise<Uint8Array[]> => {
    hashes[entry.name] = await sha256(entry.bytes);
    return zip.add(entry, deflated);
  };
  const objects: Record<string, unknown> = { format: exportFormat, exported_at: now.toISOString() };
  for (const part of exportedObjects) objects[part] = JSON.parse(text((await read(part, null)).rows) || "{}");
  yield* await add({ name: "workspace.json", bytes: bytes(JSON.stringify(objects)) });

  const files: { bucket: string; path: string }[] = [];
  for (const part of exportedLists) {
    let after: string | null = null;
    let number = 0;
    do {
      const page: RowsPage = await read(part, after);
      after = page.next;
      if (page.rows.length === 0) continue;
      if (part === "files") files.push(...(JSON.parse(`[${text(page.rows)}]`) as typeof files));
      if (part === "posts") copied.posts += (JSON.parse(`[${text(page.rows)}]`) as unknown[]).length;
      number += 1;
      const list = new Uint8Array(page.rows.length + 2);
      list.set(page.rows, 1);
      list[0] = "[".charCodeAt(0);
      list[list.length - 1] = "]".charCodeAt(0);
      yield* await add({ name: `rows/${part}-${String(number).padStart(4, "0")}.json`, bytes: list });
    } while (after !== null);
  }

  const missing: string[] = [];
  for (const { bucket, path } of files) {
    const content = await picture(bucket, path);
    if (content === null) {
      missing.push(`${bucket}/${path}`);
      continue;
    }
    copied.images += 1;
    yield* await add({ name: `files/${bucket}/${path}`, bytes: content }, false);
  }

  const contents = { format: copyFormat, made_at: now.toISOString(), workspace, owner, ...copied, missing, entries: hashes } as const;
  const manifest: Manifest = { ...contents, seal: await seal(await sha256(bytes(JSON.stringify(contents)))) };
  yield* zip.add({ name: "manifest.json", bytes: bytes(JSON.stringify(manifest)) }, true);
  yield* zip.end();
}

export interface Reading {
  begin(document: string, workspaceId: string): Promise<void>;
  rows(part: string, list: string): Promise<void>;
  file(bucket: string, path: string, bytes: Uint8Array): Promise<void>;
}

const rowsName = /^rows\/([a-z_]{1,40})-\d{4,8}\.json$/;
const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const fileName = new RegExp(`^files/(post-images|logos)/(${uuid})/(${uuid}\\.(?:png|jpg|jpeg|webp|gif))$`);

/** Verifies every entry against the manifest and throws if it's missing. Returns true if `opensSeal` confirms the origin. */
export async function readCopy(
  pieces: AsyncIterable<Uint8Array>,
  reading: Reading,
  opensSeal: (seal: string) => Promise<string | null>,
): Promise<{ manifest: Manifest; ours: boolean }> {
  const hashes = new Map<string, string>();
  let manifest: Manifest | undefined;
  let source = "";
  for await (const { name, bytes: content } of entriesOf(pieces)) {
    if (manifest !== undefined || hashes.has(name)) throw new DamagedCopy("The backup is damaged");
    if (name === "manifest.json") {
      manifest = objectIn(text(content)) as unknown as Manifest;
      continue;
    }
    hashes.set(name, await sha256(content));
    if (hashes.size === 1) {
      const objects: Record<string, unknown> = name === "workspace.json" ? objectIn(text(content)) : {};
      source = String((objects.workspace as { id?: unknown } | undefined)?.id);
      if (objects.format !== exportFormat || !new RegExp(`^${uuid}$`).test(source)) throw new DamagedCopy("This isn't a workspace backup");
      await reading.begin(text(content), source);
      continue;
    }
    const part = rowsName.exec(name)?.[1];
    const [, bucket, folder, file] = fileName.exec(name) ?? [];
    if (part !== undefined) await reading.rows(part, text(content));
    else if (folder === source) await reading.file(bucket!, file!, content);
    else throw new DamagedCopy("The backup has unexpected content");
  }
  if (manifest === undefined) throw new DamagedCopy("The backup is incomplete");
  const { seal, ...contents } = manifest;
  const listed = Object.entries(manifest.entries ?? {});
  if (manifest.format !== copyFormat || listed.length !== hashes.size || listed.some(([name, hash]) => hashes.get(name) !== hash))
    throw new DamagedCopy("The backup is damaged");
  return { manifest, ours: (await opensSeal(String(seal))) === (await sha256(bytes(JSON.stringify(contents)))) };
}

const bytes = (words: string): Uint8Array => new TextEncoder().encode(words);
const text = (content: Uint8Array): string => new TextDecoder().decode(content);
