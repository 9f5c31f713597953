import { sourceMaxBytes } from "#contract/imports.ts";
import { hasTooManyValues } from "#contract/rules/json-values.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import { obtain, type Obtained } from "../../_shared/outbound/obtain.ts";
import { type Network, NoSuchName, NotPublic, TooLong, TooSlow, Unreachable } from "../../_shared/outbound/network.ts";
import { secondsOfRetryAfter } from "../../_shared/retry-after.ts";

/** Of what is parsed here: ten million brackets would take seconds, and all of the memory that there is. */
export const mostValues = 500_000;

/** Whose server is asked, and where in the form stands what went wrong. */
export interface Product {
  /** As people call it. */
  name: string;
  /** The field of all refusals but that of the key. */
  field: "address" | "key";
}

export interface Question {
  url: URL;
  headers?: Record<string, string>;
  /** Goes to whom it is for alone. */
  credentials?: Record<string, string>;
  /** Sent as JSON, with a POST. */
  json?: unknown;
}

/** What was answered, as text. */
export interface Said {
  url: URL;
  headers: ReadonlyMap<string, string>;
  text: string;
}

export const refused = (field: "address" | "key", sentence: string) => new AppError("validation_failed", { fields: { [field]: sentence } });

/** Asks another product's server; what it refuses becomes a sentence at a field of the form, in which no key stands. */
export class Asking {
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

  /** Where a source has its server: a constant, so that a key goes nowhere else; tests put theirs in its place. */
  server(source: string, address: string): string {
    return this.#env.importHosts[source] ?? address;
  }

  async ask({ url, headers, credentials, json }: Question): Promise<Said> {
    const answer = await this.#obtain({
      url,
      headers: { ...headers, ...(json !== undefined && { "content-type": "application/json" }) },
      ...(credentials && { credentials }),
      ...(json !== undefined && { body: new TextEncoder().encode(JSON.stringify(json)) }),
    });
    if (answer.status < 200 || answer.status > 299) throw this.#refusal(answer, credentials !== undefined);
    return { url: answer.url, headers: answer.headers, text: textOf(answer.body, answer.headers.get("content-type") ?? "") };
  }

  /** A refusal at the field of everything but the key. */
  refuse(sentence: string): AppError {
    return refused(this.product.field, sentence);
  }

  refuseKey(): AppError {
    return refused("key", `${this.product.name} did not accept this key`);
  }

  /** JSON as it has to come from a server that speaks nothing else. */
  parse(text: string): unknown {
    if (hasTooManyValues(text, mostValues)) throw this.refuse(`${this.product.name} answered more than anybody can read`);
    try {
      return JSON.parse(text);
    } catch {
      throw this.refuse(`${this.product.name} answered something that is not JSON`);
    }
  }

  async #obtain(wanted: {
    url: URL;
    headers: Record<string, string>;
    credentials?: Record<string, string>;
    body?: Uint8Array;
  }): Promise<Obtained> {
    try {
      return await obtain(this.#network, { ...wanted, maxBytes: sourceMaxBytes }, { toPrivate: this.toPrivate });
    } catch (error) {
      throw error instanceof Unreachable ? this.refuse(unreachableSentence(error, wanted.url)) : error;
    }
  }

  #refusal({ status, url, headers }: Obtained, withKey: boolean): AppError {
    const quota = quotaSentence(this.product.name, status, headers, new Date());
    if (quota !== null) return this.refuse(quota);
    if (withKey && (status === 401 || status === 403)) return this.refuseKey();
    return this.refuse(`${url.host} answered ${status}: ${meaningOf(status)}`);
  }
}

function meaningOf(status: number): string {
  if (status === 404 || status === 410) return "there is nothing at this address";
  if (status === 401 || status === 403) return "this is not for everybody";
  if (status >= 500) return "something is wrong there, please try again later";
  return status < 400 ? "it leads elsewhere" : "it did not understand the question";
}

/** Whether something answered that is not TLS, in the words of Deno or Node. */
export const speaksNoTls = ({ message }: Unreachable): boolean =>
  /InvalidContentType|wrong version number|packet length too long/i.test(message);

function unreachableSentence(error: Unreachable, { host }: URL): string {
  if (error instanceof TooSlow) return `${host} did not answer in time`;
  if (error instanceof TooLong) return `${host} answered with more than ${sourceMaxBytes / 1_048_576} MB`;
  if (error instanceof NotPublic || error instanceof NoSuchName) return error.message;
  if (speaksNoTls(error)) return `${host} does not answer to https. Please save the page or feed there as a file, and choose that`;
  return `${host} could not be reached: ${error.message}`;
}

const declaration = /^(\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["'])([\w.:-]{1,40})(["'])/i;

/** Bytes as text: in the encoding that the header names, else the one that XML declares, else UTF-8. What is declared is UTF-8 from then on. */
function textOf(bytes: Uint8Array, contentType: string): string {
  const named = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];
  const declared = declaration.exec(new TextDecoder("latin1").decode(bytes.subarray(0, 300)))?.[2];
  const text = decoderOf(named ?? declared ?? "utf-8").decode(bytes);
  return text.replace(declaration, "$1UTF-8$3");
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder(); // no encoding that anybody knows
  }
}

/** Why somebody answers no more for now, and until when, as far as it says; null where that is not what it says. */
function quotaSentence(name: string, status: number, headers: ReadonlyMap<string, string>, now: Date): string | null {
  // GitHub answers 403 as well, with what is left, or with how long to wait.
  const isQuota = status === 429 || (status === 403 && (headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after")));
  if (!isQuota) return null;
  const until = untilOf(headers, now);
  return `${name} takes no more requests for now: please try again ${until === null ? "later" : `after ${shown(until, now)}`}`;
}

function untilOf(headers: ReadonlyMap<string, string>, now: Date): Date | null {
  const seconds = secondsOfRetryAfter(headers.get("retry-after"));
  if (seconds !== undefined) return new Date(now.getTime() + seconds * 1_000);
  const reset = headers.get("x-ratelimit-reset") ?? "";
  const until = /^\d{9,11}$/.test(reset) ? new Date(Number(reset) * 1_000) : null;
  return until !== null && until > now ? until : null;
}

/** To the minute, later rather than sooner. */
function shown(until: Date, now: Date): string {
  const [day, time] = new Date(Math.ceil(until.getTime() / 60_000) * 60_000).toISOString().split("T") as [string, string];
  return `${day === now.toISOString().slice(0, 10) ? "" : `${day} `}${time.slice(0, 5)} UTC`;
}
