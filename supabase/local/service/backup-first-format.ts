import { createDecipheriv, scryptSync } from "node:crypto";
import fs from "node:fs";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";
import { damage, Damage, type Entry, type TakeEntry } from "./backup-entries.ts";

/**
 * Backups of version 0.1.0, which are still restored: "TIDINGS1", a byte that says whether it is encrypted, then, gzipped, entry after
 * entry. An entry is a JSON header and its bytes in pieces, each behind its length (32 bit). Encrypted: a salt and a nonce stand before,
 * AES-256-GCM's tag behind; the key is scrypt's.
 */
export const firstFormat = Buffer.from("TIDINGS1");

/** The last header is called "" and says how many entries there are. */
type Header = Entry | { name: ""; kind: "end"; count: number };

const largestPiece = 1 << 20;
const [saltBytes, nonceBytes, tagBytes] = [16, 12, 16];

const keyOf = (passphrase: string, salt: Uint8Array): Buffer =>
  scryptSync(passphrase, salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 });

/** Hands every entry to `take` in order; rejects with Damage unless every byte is as it was written. `passphrase`: null when it is not encrypted. */
export async function readFirstFormat(file: string, passphrase: string | null, take: TakeEntry): Promise<void> {
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
  } finally {
    plain.destroy();
  }
}

async function open(file: string, passphrase: string | null) {
  const handle = await fs.promises.open(file);
  try {
    const { size } = await handle.stat();
    if (passphrase === null) return { start: firstFormat.length + 1, end: size, decipher: null };
    const head = Buffer.alloc(saltBytes + nonceBytes);
    await handle.read(head, 0, head.length, firstFormat.length + 1);
    const decipher = createDecipheriv("aes-256-gcm", keyOf(passphrase, head.subarray(0, saltBytes)), head.subarray(saltBytes));
    const tag = Buffer.alloc(tagBytes);
    await handle.read(tag, 0, tagBytes, size - tagBytes);
    return { start: firstFormat.length + 1 + head.length, end: size - tagBytes - 1, decipher: decipher.setAuthTag(tag) };
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

  async header(): Promise<Header> {
    const text = (await this.#take(await this.#length())).toString("utf8");
    try {
      return JSON.parse(text) as Header;
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
