import { sourceMaxBytes } from "#contract/imports.ts";
import { hasTooManyValues } from "#contract/rules/json-values.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import { obtain, type Obtained } from "../../_shared/outbound/obtain.ts";
import { type Network, NoSuchName, NotPublic, TooLong, TooSlow, Unreachable } from "../../_shared/outbound/network.ts";
import { quotaSentence } from "./quota.ts";
import { textOf } from "./text-of.ts";

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

function unreachableSentence(error: Unreachable, { host }: URL): string {
  if (error instanceof TooSlow) return `${host} did not answer in time`;
  if (error instanceof TooLong) return `${host} answered with more than ${sourceMaxBytes / 1_048_576} MB`;
  if (error instanceof NotPublic || error instanceof NoSuchName) return error.message;
  return `${host} could not be reached: ${error.message}`;
}
