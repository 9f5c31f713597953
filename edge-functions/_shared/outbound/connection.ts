import { bareHost, type Line, type Network, publicAddresses, TooSlow, Unreachable } from "./network.ts";

export const wholeTimeoutMs = 15_000;
const connectMs = 5_000;
const mostAddresses = 3;
const longestHead = 16_384;
const mostInterim = 5;

export class Deadline {
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

  /** `tooLate` cleans up a late result. */
  async wait<Value>(coming: Promise<Value>, ms = this.#ms, tooLate: (value: Value) => void = () => {}): Promise<Value> {
    const limit = Math.min(ms, this.#ms);
    const { promise: end, reject } = Promise.withResolvers<never>();
    const giveUp = () => reject(new TooSlow(`There was no response within ${Math.ceil(limit / 1_000)} s`));
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

async function connect(network: Network, url: URL, toPrivate: boolean, deadline: Deadline): Promise<Line> {
  const isSecure = url.protocol === "https:";
  const port = Number(url.port || (isSecure ? 443 : 80));
  const hosts = toPrivate ? [bareHost(url)] : await deadline.wait(publicAddresses(network, url, deadline.signal));
  let fault: unknown;
  for (const host of hosts.slice(0, mostAddresses)) {
    let line: Line | undefined;
    try {
      line = await deadline.wait(network.connect(host, port), connectMs, close);
      return isSecure ? await deadline.wait(network.secure(line, bareHost(url)), connectMs, close) : line;
    } catch (error) {
      close(line);
      fault = error;
      if (deadline.isOver) break;
    }
  }
  throw fault;
}

export interface HttpRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: URL;
  headers: Record<string, string>;
  body?: Uint8Array | undefined;
}

async function send(line: Line, { method, url, headers, body }: HttpRequest, deadline: Deadline): Promise<void> {
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-length: ${body.length}`]),
    "accept-encoding: identity",
    "connection: close",
  ];
  if (lines.some((text) => /[\r\n\0]/.test(text))) throw new Unreachable("This URL can't be used in a request");
  const head = new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
  const whole = new Uint8Array(head.length + (body?.length ?? 0));
  whole.set(head);
  whole.set(body ?? [], head.length);
  for (let sent = 0; sent < whole.length;) sent += await deadline.wait(line.write(whole.subarray(sent)));
}

export class Reader {
  readonly #line: Line;
  readonly #patience: Deadline;
  readonly #piece = new Uint8Array(16_384);
  #left = new Uint8Array(0);

  constructor(line: Line, deadline: Deadline) {
    this.#line = line;
    this.#patience = deadline;
  }

  /** Reads another chunk into the buffer; false at the end. */
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

  /** Buffered bytes or the next chunk; null at the end. Unlike `more`, doesn't buffer. */
  async next(most: number): Promise<Uint8Array | null> {
    if (this.#left.length > 0) return this.take(most);
    const count = await this.#patience.wait(this.#line.read(this.#piece.subarray(0, Math.min(most, this.#piece.length))));
    return count === null || count === 0 ? null : this.#piece.slice(0, count);
  }

  take(count: number): Uint8Array {
    const taken = this.#left.slice(0, count); // a copy, so the buffer can be freed
    this.#left = this.#left.subarray(count);
    return taken;
  }
}

export interface Head {
  status: number;
  headers: Map<string, string>;
}

async function finalHead(reader: Reader): Promise<Head> {
  for (let interim = 0; interim < mostInterim; interim += 1) {
    const one = await oneHead(reader);
    if (one.status >= 200) return one;
  }
  throw new Unreachable("There were only interim responses");
}

async function oneHead(reader: Reader): Promise<Head> {
  for (;;) {
    const end = endOfHead(reader.here);
    if (end > longestHead || (end < 0 && reader.here.length > longestHead))
      throw new Unreachable("The response headers are longer than 16 kB");
    if (end >= 0) return parseHead(latin1(reader.take(end)));
    if (!(await reader.more())) throw new Unreachable("The connection closed before a response");
  }
}

/** Index behind the empty line; -1 if missing. */
function endOfHead(bytes: Uint8Array): number {
  for (let at = 0; at + 3 < bytes.length; at += 1)
    if (bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) return at + 4;
  return -1;
}

export const latin1 = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);

function parseHead(text: string): Head {
  const [first = "", ...lines] = text.split("\r\n");
  const status = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(first)?.[1];
  if (status === undefined) throw new Unreachable("The response isn't valid HTTP");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers };
}

function close(line: Line | undefined): void {
  try {
    line?.close();
  } catch {}
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s*\(os error \d+\)/, "").slice(0, 300) || "The connection failed";
}

export async function withDeadline<Value>(ms: number, work: (deadline: Deadline) => Promise<Value>): Promise<Value> {
  const deadline = new Deadline(ms);
  try {
    return await work(deadline);
  } catch (error) {
    throw error instanceof Unreachable ? error : new Unreachable(reasonOf(error));
  } finally {
    deadline.end();
  }
}

/** One connection per request, closed after `take`. */
export async function withConnection<Taken>(
  network: Network,
  request: HttpRequest,
  toPrivate: boolean,
  deadline: Deadline,
  take: (head: Head, reader: Reader) => Promise<Taken>,
): Promise<Taken> {
  let line: Line | undefined;
  try {
    line = await connect(network, request.url, toPrivate, deadline);
    await send(line, request, deadline);
    const reader = new Reader(line, deadline);
    return await take(await finalHead(reader), reader);
  } finally {
    close(line);
  }
}
