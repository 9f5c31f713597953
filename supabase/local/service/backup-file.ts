import fs from "node:fs";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { callbackify } from "node:util";
import zlib from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import { extract, pack, type Pack } from "tar-stream";
import { asStartError, StartError } from "../start-error.ts";
import { damage, Damage, type Entry, type TakeEntry } from "./backup-entries.ts";

/** A gzipped tar archive, optionally encrypted in age's format, so `age -d | tar -xz` opens it. */
const heads = { age: Buffer.from("age-encryption.org/v1\n"), gzip: Buffer.from([0x1f, 0x8b]) };

/** A file to write. If it's now shorter, it's padded with zeros. */
export interface Content extends Entry {
  size: number;
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** scrypt work factor: one second and 128 MB per guess. */
const usualWorkFactor = 17;

/** Writes and syncs a new file, readable by its owner only. Rejects if it exists. */
export async function writeBackup(
  file: string,
  contents: AsyncIterable<Content>,
  passphrase: string | null,
  workFactor = usualWorkFactor,
): Promise<void> {
  const target = await fs.promises.open(file, "wx", 0o600);
  try {
    const archive = pack();
    const write = callbackify((bytes: Buffer, _encoding: string) => target.writeFile(bytes));
    const written = pipeline(
      Readable.from(archive),
      zlib.createGzip({ level: 1 }),
      (source: AsyncIterable<Uint8Array>) => (passphrase === null ? source : encrypted(source, passphrase, workFactor)),
      new Writable({ write }),
    );
    written.catch(() => {});
    for await (const content of contents) await Promise.race([add(archive, content), written]);
    archive.finalize();
    await written;
    await target.sync();
  } finally {
    await target.close();
  }
}

async function add(archive: Pack, { name, kind, size, pieces }: Content): Promise<void> {
  const header = kind === "folder" ? ({ name, type: "directory", mode: 0o700 } as const) : { name, size, mode: 0o600 };
  await new Promise<void>((resolve, reject) => {
    const entry = archive.entry(header, (error) => (error ? reject(error) : resolve()));
    if (kind === "file") pipeline(exactly(size, pieces), entry).catch(reject);
  });
}

async function* exactly(size: number, pieces: Content["pieces"]): AsyncGenerator<Uint8Array> {
  let left = size;
  for await (const piece of pieces) {
    if (left === 0) return;
    const chunk = piece.subarray(0, left);
    left -= chunk.length;
    yield chunk;
  }
  if (left > 0) yield Buffer.alloc(left);
}

async function* encrypted(source: AsyncIterable<Uint8Array>, passphrase: string, workFactor: number): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  yield* fromWeb(await encrypter.encrypt(toWeb(source)));
}

async function* decrypted(source: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  yield* fromWeb(await decrypter.decrypt(toWeb(source)));
}

const toWeb = (source: AsyncIterable<Uint8Array>) => Readable.toWeb(Readable.from(source)) as ReadableStream<Uint8Array>;
const fromWeb = (source: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> => Readable.fromWeb(source as WebStream<Uint8Array>);

/** Calls `take` for every entry in order. Rejects with a StartError if the file is corrupt; errors of `take` pass through. */
export async function readBackup(file: string, passphrase: string | null, take: TakeEntry): Promise<void> {
  const format = await formatOf(file);
  const isEncrypted = format === "age";
  if (isEncrypted && passphrase === null)
    throw new StartError(`${file} is encrypted; its passphrase is read from TIDINGS_BACKUP_PASSPHRASE.`);
  try {
    await readArchive(file, isEncrypted ? passphrase : null, take);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    const cause = isEncrypted ? "is damaged, or the passphrase is wrong" : "is damaged";
    throw new StartError(`${file} ${cause} (${error.message}).`);
  }
}

async function formatOf(file: string): Promise<"age" | "gzip"> {
  const handle = await fs.promises.open(file).catch((error: { code?: string }) => {
    throw error.code === "ENOENT" ? new StartError(`No backup at ${file}.`) : asStartError(error, `Couldn't read ${file}`);
  });
  try {
    const head = Buffer.alloc(32);
    await handle.read(head, 0, head.length, 0);
    const begins = (bytes: Buffer) => head.subarray(0, bytes.length).equals(bytes);
    if (begins(heads.age)) return "age";
    if (begins(heads.gzip)) return "gzip";
    throw new StartError(`${file} isn't a backup of Tidings.`);
  } finally {
    await handle.close();
  }
}

async function readArchive(file: string, passphrase: string | null, take: TakeEntry): Promise<void> {
  const archive = extract();
  const unpacked = pipeline(
    fs.createReadStream(file),
    (source: AsyncIterable<Uint8Array>) => (passphrase === null ? source : decrypted(source, passphrase)),
    zlib.createGunzip(),
    archive as unknown as Writable,
  );
  unpacked.catch(() => {});
  const entries = archive[Symbol.asyncIterator]();
  try {
    for (let next = await entries.next().catch(rethrow); !next.done; next = await entries.next().catch(rethrow)) {
      const { header } = next.value;
      await take({ name: header.name.replace(/\/$/, ""), kind: header.type === "directory" ? "folder" : "file" }, readable(next.value));
      next.value.resume();
    }
    await unpacked.catch(rethrow);
  } finally {
    archive.destroy();
  }
}

const rethrow = (error: unknown): never => {
  throw damage(error);
};

async function* readable(entry: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  try {
    yield* entry as AsyncIterable<Buffer>;
  } catch (error) {
    throw damage(error);
  }
}
