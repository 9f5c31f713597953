import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import fs from "node:fs";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { callbackify } from "node:util";
import zlib from "node:zlib";
import { asStartError, StartError } from "../start-error.ts";

/**
 * One file that holds a folder: "TIDINGS1", a byte that says whether it is encrypted, then, gzipped, entry after entry. An entry is a JSON
 * header and its bytes in pieces, each behind its length (32 bit), so that a file may grow while it is read. Encrypted: a salt and a nonce
 * stand before, AES-256-GCM's tag behind; the key is scrypt's.
 */
export interface Entry {
  /** Path below the data folder, with slashes; the last entry of a file is called "" and says how many there are. */
  name: string;
  kind: "file" | "folder" | "end";
  count?: number;
}

export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Bytes; files are read and written in pieces below this. */
export const largestPiece = 1 << 20;

const magic = Buffer.from("TIDINGS1");
const [saltBytes, nonceBytes, tagBytes] = [16, 12, 16];

const keyOf = (passphrase: string, salt: Uint8Array): Buffer =>
  scryptSync(passphrase, salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 });

const lengthOf = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Writes a new file, readable by its owner only, and makes sure that it is on the disk. Rejects when there is one already. */
export async function writeBackup(file: string, entries: AsyncIterable<[Entry, Pieces]>, passphrase: string | null): Promise<void> {
  const target = await fs.promises.open(file, "wx", 0o600);
  try {
    const [salt, nonce] = [randomBytes(saltBytes), randomBytes(nonceBytes)];
    await target.write(Buffer.concat([magic, Buffer.from([passphrase === null ? 0 : 1])]));
    const cipher = passphrase === null ? null : createCipheriv("aes-256-gcm", keyOf(passphrase, salt), nonce);
    if (cipher) await target.write(Buffer.concat([salt, nonce]));
    const steps = [Readable.from(framed(entries)), zlib.createGzip({ level: 1 }), ...(cipher ? [cipher] : [])];
    const write = callbackify((bytes: Buffer, _encoding: string) => target.writeFile(bytes));
    await pipeline([...steps, new Writable({ write })]);
    if (cipher) await target.write(cipher.getAuthTag());
    await target.sync();
  } finally {
    await target.close();
  }
}

async function* framed(entries: AsyncIterable<[Entry, Pieces]>): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const [entry, pieces] of entries) {
    yield headerOf(entry);
    for await (const piece of pieces) if (piece.length > 0) yield Buffer.concat([lengthOf(piece.length), piece]);
    yield lengthOf(0);
    count += 1;
  }
  yield headerOf({ name: "", kind: "end", count });
}

function headerOf(entry: Entry): Buffer {
  const text = Buffer.from(JSON.stringify(entry));
  return Buffer.concat([lengthOf(text.length), text]);
}

/** What was read is not what was written. */
class Damage extends Error {}

const damage = (error: unknown): Damage => new Damage((error as Error).message);

/**
 * Hands every entry to `take` in order; each one's pieces must be read to their end. Rejects with a StartError unless every byte is as it
 * was written; a fault of `take` comes through as it is.
 */
export async function readBackup(
  file: string,
  passphrase: string | null,
  take: (entry: Entry, pieces: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const { start, decipher, end } = await open(file, passphrase);
  const source = fs.createReadStream(file, { start, end });
  const plain = zlib.createGunzip();
  const unpacked = pipeline([source, ...(decipher ? [decipher] : []), plain]);
  unpacked.catch(() => {}); // the reader has the error
  try {
    const reader = new Reader(plain);
    let count = 0;
    let entry = await reader.header();
    for (; entry.kind !== "end"; entry = await reader.header()) {
      await take(entry, reader.pieces());
      count += 1;
    }
    if (entry.count !== count) throw new Damage("entries are missing");
    await reader.end(unpacked);
  } catch (error) {
    plain.destroy();
    if (!(error instanceof Damage)) throw error;
    const cause = passphrase === null ? "is damaged" : "is damaged, or this is not its passphrase";
    throw new StartError(`${file} ${cause} (${error.message}).`);
  }
}

async function open(file: string, passphrase: string | null) {
  const handle = await fs.promises.open(file).catch((error: { code?: string }) => {
    throw error.code === "ENOENT" ? new StartError(`There is no backup at ${file}.`) : asStartError(error, `${file} cannot be read`);
  });
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(magic.length + 1 + saltBytes + nonceBytes);
    await handle.read(head, 0, head.length, 0);
    if (!head.subarray(0, magic.length).equals(magic)) throw new StartError(`${file} is not a backup of Tidings.`);
    if (head[magic.length] === 0) return { start: magic.length + 1, end: size, decipher: null };
    if (passphrase === null) throw new StartError(`${file} is encrypted; its passphrase is read from BACKUP_PASSPHRASE.`);
    const salt = head.subarray(magic.length + 1, magic.length + 1 + saltBytes);
    const decipher = createDecipheriv("aes-256-gcm", keyOf(passphrase, salt), head.subarray(magic.length + 1 + saltBytes));
    const tag = Buffer.alloc(tagBytes);
    await handle.read(tag, 0, tagBytes, size - tagBytes);
    return { start: head.length, end: size - tagBytes - 1, decipher: decipher.setAuthTag(tag) };
  } finally {
    await handle.close();
  }
}

/** Takes exactly as many bytes from a stream as it is asked for. */
class Reader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async header(): Promise<Entry> {
    const text = (await this.#take(await this.#length())).toString("utf8");
    try {
      return JSON.parse(text) as Entry;
    } catch (error) {
      throw damage(error);
    }
  }

  /** Rejects unless the stream, and what feeds it, ends here. */
  async end(fed: Promise<void>): Promise<void> {
    const { done } = await this.#next();
    if (!done || this.#rest.length > 0) throw new Damage("more than was written");
    await fed.catch((error: unknown) => {
      throw damage(error);
    });
  }

  async *pieces(): AsyncGenerator<Buffer> {
    for (let length = await this.#length(); length > 0; length = await this.#length()) yield await this.#take(length);
  }

  async #length(): Promise<number> {
    return (await this.#take(4)).readUInt32BE();
  }

  async #take(count: number): Promise<Buffer> {
    if (count > largestPiece) throw new Damage("a length that nobody wrote");
    while (this.#rest.length < count) {
      const { value, done } = await this.#next();
      if (done) throw new Damage("it ends too early");
      this.#rest = Buffer.concat([this.#rest, value]);
    }
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }

  async #next(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#chunks.next();
    } catch (error) {
      throw damage(error);
    }
  }
}
