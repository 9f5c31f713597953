import { secondsOfRetryAfter } from "../../_shared/retry-after.ts";
import { bareHost, type Line, type Network, publicAddresses, Unreachable } from "./network.ts";

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
  /** http, any port and any address are allowed (WEBHOOKS_TO_PRIVATE). */
  toPrivate: boolean;
  patienceMs?: number;
}

/** So long everything together may take. */
const wholePatienceMs = 15_000;
/** So long one of several addresses, before the next one is tried. */
const connectMs = 5_000;
const mostAddresses = 3;
/** Whoever has said a status has been heard: the rest of what he says is waited for no longer than this. */
const bodyMs = 2_000;
const longestHead = 16_384;
const longestBody = 65_536;
const keptBytes = 2_048;
const mostInterim = 5;

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
  const patience = new Patience(patienceMs);
  let line: Line | undefined;
  try {
    line = await dial(network, request.url, toPrivate, patience);
    await send(line, request, patience);
    const reader = new Reader(line, patience);
    const { status, headers } = await finalHead(reader);
    const answer = await head(reader, headers);
    return { status, after: secondsOfRetryAfter(headers.get("retry-after")), answer, ms: Math.round(performance.now() - began) };
  } catch (error) {
    throw error instanceof Unreachable ? error : new Unreachable(reasonOf(error));
  } finally {
    patience.end();
    close(line);
  }
}

/** How long something may take. What is waited for and does not come is not waited for any longer. */
class Patience {
  readonly #abort = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #ms: number;

  constructor(ms: number) {
    this.#ms = ms;
    this.#timer = setTimeout(() => this.#abort.abort(), ms);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isOver(): boolean {
    return this.signal.aborted;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** `tooLate` gets what comes after all. */
  async wait<Value>(coming: Promise<Value>, ms = this.#ms, tooLate: (value: Value) => void = () => {}): Promise<Value> {
    const limit = Math.min(ms, this.#ms);
    const { promise: end, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(new Unreachable(`There was no answer within ${Math.ceil(limit / 1_000)} s`));
    const timer = setTimeout(giveUp, limit);
    this.signal.addEventListener("abort", giveUp, { once: true });
    if (this.isOver) giveUp();
    try {
      return await Promise.race([coming, end]);
    } catch (error) {
      coming.then(tooLate, () => {});
      throw error;
    } finally {
      clearTimeout(timer);
      this.signal.removeEventListener("abort", giveUp);
    }
  }
}

/** A connection to one of the addresses, the first that takes one. */
async function dial(network: Network, url: URL, toPrivate: boolean, patience: Patience): Promise<Line> {
  const isSecure = url.protocol === "https:";
  const port = Number(url.port || (isSecure ? 443 : 80));
  const hosts = toPrivate ? [bareHost(url)] : await patience.wait(publicAddresses(network, url, patience.signal));
  let fault: unknown;
  for (const host of hosts.slice(0, mostAddresses)) {
    let line: Line | undefined;
    try {
      line = await patience.wait(network.connect(host, port), connectMs, close);
      return isSecure ? await patience.wait(network.secure(line, bareHost(url)), connectMs, close) : line;
    } catch (error) {
      close(line);
      fault = error;
      if (patience.isOver) break;
    }
  }
  throw fault;
}

async function send(line: Line, { url, headers, body }: Request, patience: Patience): Promise<void> {
  const lines = [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    "accept-encoding: identity",
    "connection: close",
  ];
  if (lines.some((text) => /[\r\n\0]/.test(text))) throw new Unreachable("This address cannot be written in a request");
  const head = new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  for (let sent = 0; sent < whole.length;) sent += await patience.wait(line.write(whole.subarray(sent)));
}

/** Reads a connection piece by piece, no more than it is asked for. */
class Reader {
  readonly #line: Line;
  readonly #patience: Patience;
  readonly #piece = new Uint8Array(16_384);
  #left = new Uint8Array(0);

  constructor(line: Line, patience: Patience) {
    this.#line = line;
    this.#patience = patience;
  }

  /** What was read and not taken, and one piece more; false at the end. */
  async more(ms?: number): Promise<boolean> {
    const count = await this.#patience.wait(this.#line.read(this.#piece), ms);
    if (count === null || count === 0) return false;
    const grown = new Uint8Array(this.#left.length + count);
    grown.set(this.#left);
    grown.set(this.#piece.subarray(0, count), this.#left.length);
    this.#left = grown;
    return true;
  }

  get here(): Uint8Array {
    return this.#left;
  }

  take(count: number): Uint8Array {
    const taken = this.#left.subarray(0, count);
    this.#left = this.#left.slice(count);
    return taken;
  }
}

interface Head {
  status: number;
  headers: Map<string, string>;
}

/** The head of the answer, after those that only say that one will come. */
async function finalHead(reader: Reader): Promise<Head> {
  for (let interim = 0; interim < mostInterim; interim += 1) {
    const one = await oneHead(reader);
    if (one.status >= 200) return one;
  }
  throw new Unreachable("The answer never came: only announcements of it");
}

async function oneHead(reader: Reader): Promise<Head> {
  for (;;) {
    const end = endOfHead(reader.here);
    if (end > longestHead || (end < 0 && reader.here.length > longestHead))
      throw new Unreachable("The head of the answer is longer than 16 kB");
    if (end >= 0) return parseHead(latin1(reader.take(end)));
    if (!(await reader.more())) throw new Unreachable("The connection was closed before an answer came");
  }
}

/** Behind the empty line; -1: there is none yet. */
function endOfHead(bytes: Uint8Array): number {
  for (let at = 0; at + 3 < bytes.length; at += 1)
    if (bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) return at + 4;
  return -1;
}

const latin1 = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);

function parseHead(text: string): Head {
  const [first = "", ...lines] = text.split("\r\n");
  const status = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(first)?.[1];
  if (status === undefined) throw new Unreachable("The answer was no HTTP");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers };
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

function close(line: Line | undefined): void {
  try {
    line?.close();
  } catch {
    // it is closed already
  }
}

/** What the system says, without its numbers. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s*\(os error \d+\)/, "").slice(0, 300) || "The connection failed";
}
