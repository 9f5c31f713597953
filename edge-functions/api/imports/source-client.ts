import { sourceMaxBytes } from "#contract/imports.ts";
import { hasTooManyValues } from "#contract/rules/json-values.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import { fetchPublicUrl, type Obtained } from "../../_shared/outbound/fetch-public-url.ts";
import { type Network, NoSuchName, NotPublic, TooLong, TooSlow, Unreachable } from "../../_shared/outbound/network.ts";
import { secondsOfRetryAfter } from "../../_shared/retry-after.ts";

/** JSON value limit: ten million brackets would exhaust CPU and memory. */
export const mostValues = 500_000;

export interface Product {
  name: string;
  field: "address" | "key";
}

export interface Question {
  url: URL;
  headers?: Record<string, string>;
  /** Never sent to another origin, e.g. on redirects. */
  credentials?: Record<string, string>;
  json?: unknown;
}

export interface SourceResponse {
  url: URL;
  headers: ReadonlyMap<string, string>;
  text: string;
}

export const refused = (field: "address" | "key", sentence: string) => new AppError("validation_failed", { fields: { [field]: sentence } });

/** Client of another product's server; errors become messages at a form field and never contain the key. */
export class SourceClient {
  readonly #network: Network;
  readonly #env: Env;
  readonly product: Product;

  constructor(network: Network, env: Env, product: Product) {
    this.#network = network;
    this.#env = env;
    this.product = product;
  }

  get toPrivate(): boolean {
    return this.#env.importsToPrivate;
  }

  /** Constant hosts, so a key can't go elsewhere; tests override them. */
  server(source: string, address: string): string {
    return this.#env.importHosts[source] ?? address;
  }

  async ask({ url, headers, credentials, json }: Question): Promise<SourceResponse> {
    const answer = await this.#obtain({
      url,
      headers: { ...headers, ...(json !== undefined && { "content-type": "application/json" }) },
      ...(credentials && { credentials }),
      ...(json !== undefined && { body: new TextEncoder().encode(JSON.stringify(json)) }),
    });
    if (answer.status < 200 || answer.status > 299) throw this.#refusal(answer, credentials !== undefined);
    return { url: answer.url, headers: answer.headers, text: textOf(answer.body, answer.headers.get("content-type") ?? "") };
  }

  refuse(sentence: string): AppError {
    return refused(this.product.field, sentence);
  }

  refuseKey(): AppError {
    return refused("key", `${this.product.name} didn't accept this key`);
  }

  parse(text: string): unknown {
    if (hasTooManyValues(text, mostValues)) throw this.refuse(`${this.product.name} sent a response that's too large`);
    try {
      return JSON.parse(text);
    } catch {
      throw this.refuse(`${this.product.name} sent a response that isn't JSON`);
    }
  }

  async #obtain(options: {
    url: URL;
    headers: Record<string, string>;
    credentials?: Record<string, string>;
    body?: Uint8Array;
  }): Promise<Obtained> {
    try {
      return await fetchPublicUrl(this.#network, { ...options, maxBytes: sourceMaxBytes }, { toPrivate: this.toPrivate });
    } catch (error) {
      throw error instanceof Unreachable ? this.refuse(unreachableSentence(error, options.url)) : error;
    }
  }

  #refusal({ status, url, headers }: Obtained, withKey: boolean): AppError {
    const quota = quotaSentence(this.product.name, status, headers, new Date());
    if (quota !== null) return this.refuse(quota);
    if (withKey && (status === 401 || status === 403)) return this.refuseKey();
    return this.refuse(`${url.host} responded with ${status}: ${meaningOf(status)}`);
  }
}

function meaningOf(status: number): string {
  if (status === 404 || status === 410) return "page not found";
  if (status === 401 || status === 403) return "access denied";
  if (status >= 500) return "server error, please try again later";
  return status < 400 ? "redirect" : "invalid request";
}

/** Detects plain http by the error messages of Deno and Node. */
export const speaksNoTls = ({ message }: Unreachable): boolean =>
  /InvalidContentType|wrong version number|packet length too long/i.test(message);

function unreachableSentence(error: Unreachable, { host }: URL): string {
  if (error instanceof TooSlow) return `${host} didn't respond in time`;
  if (error instanceof TooLong) return `${host} sent more than ${sourceMaxBytes / 1_048_576} MB`;
  if (error instanceof NotPublic || error instanceof NoSuchName) return error.message;
  if (speaksNoTls(error)) return `${host} doesn't support https. Please save the page or feed as a file and choose that`;
  return `Couldn't reach ${host}: ${error.message}`;
}

const declaration = /^(\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["'])([\w.:-]{1,40})(["'])/i;

/** Charset of the header, else of the XML declaration, else UTF-8. */
function textOf(bytes: Uint8Array, contentType: string): string {
  const headerCharset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];
  const declared = declaration.exec(new TextDecoder("latin1").decode(bytes.subarray(0, 300)))?.[2];
  const text = decoderOf(headerCharset ?? declared ?? "utf-8").decode(bytes);
  return text.replace(declaration, "$1UTF-8$3");
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** Rate limit message with the retry time, if known; null if it isn't a rate limit. */
function quotaSentence(name: string, status: number, headers: ReadonlyMap<string, string>, now: Date): string | null {
  // GitHub uses 403 too.
  const isQuota = status === 429 || (status === 403 && (headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after")));
  if (!isQuota) return null;
  const until = untilOf(headers, now);
  return `${name} is rate limiting us. Please try again ${until === null ? "later" : `after ${readableTime(until, now)}`}`;
}

function untilOf(headers: ReadonlyMap<string, string>, now: Date): Date | null {
  const seconds = secondsOfRetryAfter(headers.get("retry-after"));
  if (seconds !== undefined) return new Date(now.getTime() + seconds * 1_000);
  const reset = headers.get("x-ratelimit-reset") ?? "";
  const until = /^\d{9,11}$/.test(reset) ? new Date(Number(reset) * 1_000) : null;
  return until !== null && until > now ? until : null;
}

/** Rounded up to the minute. */
function readableTime(until: Date, now: Date): string {
  const [day, time] = new Date(Math.ceil(until.getTime() / 60_000) * 60_000).toISOString().split("T") as [string, string];
  return `${day === now.toISOString().slice(0, 10) ? "" : `${day} `}${time.slice(0, 5)} UTC`;
}
