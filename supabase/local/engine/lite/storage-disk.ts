import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";

interface Described {
  mimetype: string;
  cacheControl: string;
  eTag: string;
}

interface Metadata extends Described {
  contentLength: number;
  size: number;
  lastModified: Date;
  httpStatusCode: number;
}

/** Storage on disk: one file per object with its metadata beside it. lite 0.10 doesn't export its own. */
export class DiskStorage {
  readonly driver = null;
  readonly #base: string;

  constructor(base: string) {
    this.#base = path.resolve(base);
  }

  async uploadObject(
    bucket: string,
    key: string,
    _version: unknown,
    body: BodyInit | Uint8Array,
    mimetype: string,
    cacheControl: string,
  ): Promise<Metadata> {
    const file = this.#fileOf(bucket, key);
    const bytes = body instanceof Uint8Array ? body : new Uint8Array(await new Response(body).arrayBuffer());
    const described: Described = { mimetype, cacheControl, eTag: `"${await md5(bytes)}"` };
    await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await replaceFile(file, bytes);
    await replaceFile(describedBy(file), JSON.stringify(described));
    return this.headObject(bucket, key);
  }

  async headObject(bucket: string, key: string): Promise<Metadata> {
    const file = this.#fileOf(bucket, key);
    const [{ size, mtime }, described] = await Promise.all([fs.stat(file), fs.readFile(describedBy(file), "utf8")]);
    return { ...(JSON.parse(described) as Described), contentLength: size, size, lastModified: mtime, httpStatusCode: 200 };
  }

  async getObject(bucket: string, key: string): Promise<{ metadata: Metadata; httpStatusCode: number; body: ReadableStream<Uint8Array> }> {
    const metadata = await this.headObject(bucket, key);
    const { readable } = await Deno.open(this.#fileOf(bucket, key));
    return { metadata, httpStatusCode: 200, body: readable };
  }

  async copyObject(bucket: string, key: string, _version: unknown, toBucket: string, toKey: string) {
    const { mimetype, cacheControl } = await this.headObject(bucket, key);
    const bytes = await fs.readFile(this.#fileOf(bucket, key));
    const { eTag, lastModified } = await this.uploadObject(toBucket, toKey, undefined, bytes, mimetype, cacheControl);
    return { httpStatusCode: 200, eTag, lastModified };
  }

  async deleteObject(bucket: string, key: string): Promise<void> {
    const file = this.#fileOf(bucket, key);
    await Promise.all([file, describedBy(file)].map((name) => fs.rm(name, { force: true })));
  }

  async deleteObjects(bucket: string, keys: string[]): Promise<void> {
    await Promise.all(keys.map((key) => this.deleteObject(bucket, key)));
  }

  privateAssetUrl(bucket: string, key: string): Promise<string> {
    return Promise.resolve(`file://${this.#fileOf(bucket, key)}`);
  }

  #fileOf(bucket: string, key: string): string {
    const file = path.resolve(this.#base, bucket, key);
    if (!file.startsWith(this.#base + path.sep)) throw new Error("this key is outside the storage folder");
    return file;
  }
}

const describedBy = (file: string): string => `${file}.meta`;

const pieceLength = 262_144;

/** Hashes in slices, so the event loop isn't blocked. */
async function md5(bytes: Uint8Array): Promise<string> {
  const hash = createHash("md5");
  for (let at = 0; at < bytes.length; at += pieceLength) {
    hash.update(bytes.subarray(at, at + pieceLength));
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return hash.digest("hex");
}

async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const part = `${file}.${crypto.randomUUID()}.part`;
  await fs.writeFile(part, content, { mode: 0o600 });
  await fs.rename(part, file);
}
