import { secondsOfRetryAfter } from "../retry-after.ts";
import { withConnection, latin1, withDeadline, type Reader, wholeTimeoutMs } from "./connection.ts";
import type { Network } from "./network.ts";

export interface Reply {
  status: number;
  after: number | undefined;
  answer: string;
  ms: number;
}

export interface Request {
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array;
}

export interface Conditions {
  toPrivate: boolean;
  timeoutMs?: number;
}

/** Timeout of the body, once the status is known. */
const bodyMs = 2_000;
const longestBody = 65_536;
const keptBytes = 2_048;

/**
 * POST to an untrusted URL. SSRF protection: resolves the name, requires public addresses and connects to one of them (fetch would resolve
 * again: DNS rebinding). No redirects; reads only what is kept. Rejects with Unreachable if there's no status in time.
 */
export async function postPublicUrl(
  network: Network,
  request: Request,
  { toPrivate, timeoutMs = wholeTimeoutMs }: Conditions,
): Promise<Reply> {
  const began = performance.now();
  return await withDeadline(timeoutMs, (deadline) =>
    withConnection(network, { method: "POST", ...request }, toPrivate, deadline, async ({ status, headers }, reader) => {
      const answer = await head(reader, headers);
      return { status, after: secondsOfRetryAfter(headers.get("retry-after")), answer, ms: Math.round(performance.now() - began) };
    }),
  );
}

/** Errors are ignored, as the status is known. */
async function head(reader: Reader, headers: ReadonlyMap<string, string>): Promise<string> {
  const isChunked = /\bchunked$/i.test(headers.get("transfer-encoding") ?? "");
  const announced = /^\d{1,9}$/.test(headers.get("content-length") ?? "") ? Number(headers.get("content-length")) : Infinity;
  const enough = Math.min(isChunked ? Infinity : announced, longestBody);
  const until = performance.now() + bodyMs;
  try {
    while (reader.here.length < enough && !(isChunked && hasLastChunk(reader.here))) {
      const ms = until - performance.now();
      if (ms <= 0 || !(await reader.more(ms))) break;
    }
  } catch {}
  const body = reader.here.subarray(0, enough);
  return asText(isChunked ? unchunked(body) : body);
}

const lastChunk = [48, 13, 10, 13, 10];
const hasLastChunk = (bytes: Uint8Array): boolean => lastChunk.every((byte, at) => bytes[bytes.length - lastChunk.length + at] === byte);

function unchunked(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < bytes.length && out.length < keptBytes;) {
    const end = bytes.indexOf(10, at);
    const size = Number.parseInt(latin1(bytes.subarray(at, end < 0 ? bytes.length : end)), 16);
    if (end < 0 || !(size > 0)) break;
    for (const byte of bytes.subarray(end + 1, Math.min(end + 1 + size, end + 1 + keptBytes))) out.push(byte);
    at = end + 1 + size + 2;
  }
  return Uint8Array.from(out);
}

/** Without characters that Postgres or HTML can't hold. */
function asText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, keptBytes)).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "");
  let excerpt = text.toWellFormed();
  while (new TextEncoder().encode(excerpt).length > keptBytes) excerpt = excerpt.slice(0, -16);
  return excerpt.toWellFormed();
}
