import { secondsOfRetryAfter } from "../retry-after.ts";
import { asking, latin1, patiently, type Reader, wholePatienceMs } from "./connection.ts";
import type { Network } from "./network.ts";

/** What was answered. */
export interface Reply {
  status: number;
  /** Seconds that it wants to be left alone. */
  after: number | undefined;
  /** The head of what was said. */
  answer: string;
  ms: number;
}

export interface Request {
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array;
}

export interface Conditions {
  /** http, any port and any address are allowed (WEBHOOKS_TO_PRIVATE, IMPORTS_TO_PRIVATE). */
  toPrivate: boolean;
  patienceMs?: number;
}

/** Whoever has said a status has been heard: the rest of what he says is waited for no longer than this. */
const bodyMs = 2_000;
const longestBody = 65_536;
const keptBytes = 2_048;

/**
 * Posts something to an address that somebody else has chosen. The name is looked up, every address behind it must be public, and the connection
 * goes to one of these: `fetch` would look the name up a second time, and may be answered otherwise. Nothing is followed elsewhere, and no more
 * is read than is kept. Rejects with `Unreachable` where no status was answered in time.
 */
export async function exchange(
  network: Network,
  request: Request,
  { toPrivate, patienceMs = wholePatienceMs }: Conditions,
): Promise<Reply> {
  const began = performance.now();
  return await patiently(patienceMs, (patience) =>
    asking(network, { method: "POST", ...request }, toPrivate, patience, async ({ status, headers }, reader) => {
      const answer = await head(reader, headers);
      return { status, after: secondsOfRetryAfter(headers.get("retry-after")), answer, ms: Math.round(performance.now() - began) };
    }),
  );
}

/** The beginning of the body as text. What goes wrong now changes nothing: the status is known. */
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
  } catch {
    // too slow, or cut off
  }
  const body = reader.here.subarray(0, enough);
  return asText(isChunked ? unchunked(body) : body);
}

const lastChunk = [48, 13, 10, 13, 10];
const hasLastChunk = (bytes: Uint8Array): boolean => lastChunk.every((byte, at) => bytes[bytes.length - lastChunk.length + at] === byte);

/** What stands in the chunks, as far as they go. */
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

/** As Postgres takes it and a page can show it. */
function asText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, keptBytes)).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "");
  let kept = text.toWellFormed();
  while (new TextEncoder().encode(kept).length > keptBytes) kept = kept.slice(0, -16);
  return kept.toWellFormed();
}
