import { AwsV4Signer } from "aws4fetch";
import { sendRequest, type Heard } from "../../_shared/outbound/send-request.ts";
import { type Network, Unreachable } from "../../_shared/outbound/network.ts";

export interface BucketSettings {
  endpoint: string;
  region: string;
  bucket: string;
  keyId: string;
  secret: string;
}

export type BucketField = "endpoint" | "region" | "bucket" | "key_id" | "secret";

export class BucketRefusal extends Error {
  override readonly name = "BucketRefusal";
  readonly field: BucketField;

  constructor(field: BucketField, sentence: string) {
    super(sentence);
    this.field = field;
  }
}

export interface Stored {
  key: string;
  bytes: number;
}

/** Multipart upload: S3's minimum, except for the last part. */
export const partBytes = 8 * 1024 * 1024;
const timeoutMs = 60_000;
const longestAnswer = 4 * 1024 * 1024;

/** S3 client for backups. Signs every request and uses the outbound guard (SSRF). */
export class Bucket {
  readonly #network: Network;
  readonly #settings: BucketSettings;
  readonly #toPrivate: boolean;

  constructor(network: Network, settings: BucketSettings, { toPrivate }: { toPrivate: boolean }) {
    this.#network = network;
    this.#settings = settings;
    this.#toPrivate = toPrivate;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#ask("PUT", this.#url(key), "write", { body: bytes });
  }

  async remove(key: string): Promise<void> {
    await this.#ask("DELETE", this.#url(key), "delete");
  }

  /** Up to `partBytes` from `from`, and the total size. */
  async read(key: string, from: number): Promise<{ bytes: Uint8Array; total: number }> {
    const headers = { range: `bytes=${from}-${from + partBytes - 1}` };
    const answer = await this.#ask("GET", this.#url(key), "read", { headers, maxBytes: partBytes });
    const total = /\/(\d{1,15})$/.exec(answer.headers.get("content-range") ?? "")?.[1];
    return { bytes: answer.body, total: total === undefined ? from + answer.body.length : Number(total) };
  }

  /** At most ten thousand objects; stops at `until`. */
  async list(prefix: string, until = Infinity): Promise<Stored[]> {
    const all: Stored[] = [];
    let next: string | undefined;
    for (let page = 0; page < 10 && Date.now() < until; page += 1) {
      const query = { "list-type": "2", prefix, ...(next !== undefined && { "continuation-token": next }) };
      const { body } = await this.#ask("GET", this.#url("", query), "list");
      const xml = new TextDecoder().decode(body);
      for (const entry of entriesIn(xml)) {
        const key = inside(entry, "Key");
        if (key !== undefined) all.push({ key, bytes: Number(inside(entry, "Size") ?? 0) });
      }
      next = inside(xml, "IsTruncated") === "true" ? inside(xml, "NextContinuationToken") : undefined;
      if (next === undefined) break;
    }
    return all;
  }

  /** Multipart upload with one part in memory. The key appears only when complete; a failed upload is aborted. Returns the size. */
  async write(key: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
    const part = new Uint8Array(partBytes);
    let filled = 0;
    let length = 0;
    let upload: string | undefined;
    const tags: string[] = [];
    const sendPart = async () => {
      upload ??= await this.#begin(key);
      tags.push(await this.#part(key, upload, tags.length + 1, part.slice(0, filled)));
      filled = 0;
    };
    try {
      for await (const piece of pieces) {
        length += piece.length;
        for (let at = 0; at < piece.length;) {
          if (filled === partBytes) await sendPart();
          const room = piece.subarray(at, at + partBytes - filled);
          part.set(room, filled);
          filled += room.length;
          at += room.length;
        }
      }
      if (upload === undefined) await this.put(key, part.slice(0, filled));
      else {
        await sendPart();
        await this.#complete(key, upload, tags);
      }
      return length;
    } catch (error) {
      if (upload !== undefined) await this.#ask("DELETE", this.#url(key, { uploadId: upload }), "write").catch(() => {});
      throw error;
    }
  }

  async #begin(key: string): Promise<string> {
    const { body } = await this.#ask("POST", this.#url(key, { uploads: "" }), "write", { body: new Uint8Array(0) });
    const id = inside(new TextDecoder().decode(body), "UploadId");
    if (!id) throw notS3();
    return id;
  }

  async #part(key: string, uploadId: string, number: number, body: Uint8Array): Promise<string> {
    const { headers } = await this.#ask("PUT", this.#url(key, { partNumber: String(number), uploadId }), "write", { body });
    const tag = headers.get("etag");
    if (!tag) throw notS3();
    return tag;
  }

  async #complete(key: string, uploadId: string, tags: readonly string[]): Promise<void> {
    const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`).join("");
    const body = new TextEncoder().encode(`<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`);
    const answer = await this.#ask("POST", this.#url(key, { uploadId }), "write", { body });
    // CompleteMultipartUpload can return an error with status 200.
    const text = new TextDecoder().decode(answer.body);
    if (/<Error>/.test(text)) throw refusalOf({ ...answer, status: 500 }, text, "write");
  }

  #url(key: string, query: Record<string, string> = {}): URL {
    const { endpoint, bucket } = this.#settings;
    const url = new URL(endpoint);
    const before = url.pathname.replace(/\/+$/, "");
    url.pathname = url.hostname.startsWith(`${bucket}.`) ? `${before}/${key}` : `${before}/${bucket}${key === "" ? "" : `/${key}`}`;
    url.hash = "";
    url.search = new URLSearchParams(query).toString();
    return url;
  }

  async #ask(
    method: "GET" | "PUT" | "POST" | "DELETE",
    url: URL,
    doing: Doing,
    { body, headers = {}, maxBytes = longestAnswer }: { body?: Uint8Array; headers?: Record<string, string>; maxBytes?: number } = {},
  ): Promise<Heard> {
    const { keyId, secret, region } = this.#settings;
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { "x-amz-content-sha256": await sha256(body ?? new Uint8Array(0)) },
      accessKeyId: keyId,
      secretAccessKey: secret,
      service: "s3",
      region,
    });
    const signed = await signer.sign();
    const sent = { ...Object.fromEntries(signed.headers), ...headers, "user-agent": "Tidings-Backup/1" };
    let answer: Heard;
    try {
      const request = { method, url: signed.url, headers: sent, body };
      answer = await sendRequest(this.#network, request, { toPrivate: this.#toPrivate, timeoutMs, maxBytes });
    } catch (error) {
      if (error instanceof Unreachable) throw new BucketRefusal("endpoint", error.message);
      throw error;
    }
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw refusalOf(answer, new TextDecoder().decode(answer.body.subarray(0, 16_384)), doing);
  }
}

type Doing = "read" | "write" | "list" | "delete";

const notS3 = () => new BucketRefusal("endpoint", "This server isn't an S3 service");

function refusalOf({ status, headers }: Pick<Heard, "status" | "headers">, xml: string, doing: Doing): BucketRefusal {
  const code = inside(xml, "Code") ?? "";
  const region = headers.get("x-amz-bucket-region") ?? inside(xml, "Region");
  const valid = region && /^[a-z0-9-]{1,60}$/.test(region) ? region : undefined;
  switch (code) {
    case "NoSuchBucket":
      return new BucketRefusal("bucket", "There's no bucket with this name");
    case "NoSuchKey":
      return new BucketRefusal("bucket", "This backup isn't in the bucket");
    case "InvalidAccessKeyId":
      return new BucketRefusal("key_id", "The service doesn't know this access key");
    case "SignatureDoesNotMatch":
      return new BucketRefusal("secret", "The secret access key is wrong");
    case "RequestTimeTooSkewed":
      return new BucketRefusal("endpoint", "The service's clock differs from ours by more than 15 minutes");
    case "PermanentRedirect":
    case "TemporaryRedirect":
    case "AuthorizationHeaderMalformed":
    case "IllegalLocationConstraintException":
      return new BucketRefusal("region", valid ? `The bucket is in another region: ${valid}` : "The bucket is in another region");
  }
  if (status === 507 || /quota|insufficient.?storage|storage.?full|nospace|EntityTooLarge/i.test(code))
    return new BucketRefusal("bucket", "The bucket is full");
  if (status === 503 || status === 429 || code === "SlowDown") return new BucketRefusal("endpoint", "The service is overloaded");
  if (status === 401 || status === 403)
    return new BucketRefusal("key_id", `This key can't ${doing} in the bucket. It needs to list, read, write and delete`);
  if (status >= 300 && status < 400) {
    if (valid) return new BucketRefusal("region", `The bucket is in another region: ${valid}`);
    return new BucketRefusal("endpoint", "The service redirects to another URL. Please enter that one");
  }
  if (status === 404 && doing === "list") return new BucketRefusal("bucket", "There's no bucket with this name");
  const reason = /^[A-Za-z0-9]{1,60}$/.test(code) ? `${status} (${code})` : String(status);
  return new BucketRefusal("endpoint", `The service responded with ${reason}`);
}

export function* entriesIn(xml: string): Generator<string, void> {
  const [open, close] = ["<Contents>", "</Contents>"];
  for (let at = xml.indexOf(open); at >= 0; at = xml.indexOf(open, at)) {
    const end = xml.indexOf(close, at);
    if (end < 0) return;
    yield xml.slice(at + open.length, end);
    at = end + close.length;
  }
}

function inside(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replace(/&(lt|gt|quot|apos|amp|#34|#39);/g, (_, sign: string) => signs[sign]!);
}
const signs: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&", "#34": '"', "#39": "'" };
const escaped = (text: string) => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export async function sha256(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as BufferSource));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function regionOf(endpoint: string): string {
  return /(?:^|\.)s3[.-]([a-z]{2}(?:-[a-z]+)+-\d)\./.exec(new URL(endpoint).hostname)?.[1] ?? "us-east-1";
}
