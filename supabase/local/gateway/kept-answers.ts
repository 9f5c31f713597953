import { RecentlyUsed } from "#contract/rules/recently-used.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** An answer that everybody may read, packed or not, with the headers that it came with. */
interface KeptAnswer {
  etag: string;
  headers: Headers;
  bytes: Bytes;
}

/** Of one address: before a change and after it, and what another way of asking gets there. */
const versionsEach = 3;

const opaque = (etag: string): string => etag.trim().replace(/^W\//, "");

/**
 * What readers were sent, by place: the address and how it is packed. The part that it came from is asked whether it still is the answer, and sends
 * nothing anew that is here: of a long feed that many read only the first reading goes from process to process.
 */
export class KeptAnswers {
  readonly #kept: RecentlyUsed<readonly KeptAnswer[]>;

  constructor(maxBytes: number) {
    this.#kept = new RecentlyUsed(maxBytes, (versions) => versions.reduce((sum, { bytes }) => sum + bytes.byteLength, 0));
  }

  get(place: string, etag: string): Bytes | undefined {
    return this.#kept.get(place)?.find((one) => one.etag === opaque(etag))?.bytes;
  }

  set(place: string, etag: string, headers: Headers, bytes: Bytes): void {
    const others = (this.#kept.get(place) ?? []).filter((one) => one.etag !== opaque(etag));
    const general = new Headers(headers);
    general.delete("access-control-allow-origin"); // that of one reader
    this.#kept.set(place, [{ etag: opaque(etag), headers: general, bytes }, ...others].slice(0, versionsEach));
  }

  /** What is asked in a reader's place; null: nothing of it is kept, or he asks for something else than the whole. */
  question({ method, headers }: Pick<Request, "method" | "headers">, place: string): Question | null {
    const own = headers.get("if-none-match");
    if (method !== "GET" || headers.has("range") || own?.includes("*")) return null;
    const kept = this.#kept.get(place);
    return kept === undefined ? null : new Question(own, kept);
  }
}

/** Asks for what is neither kept nor with the reader already. */
export class Question {
  readonly ifNoneMatch: string;
  readonly #own: readonly string[];
  readonly #kept: readonly KeptAnswer[];

  constructor(own: string | null, kept: readonly KeptAnswer[]) {
    this.#own = (own ?? "").split(",").map(opaque);
    this.#kept = kept;
    this.ifNoneMatch = [own, ...kept.map(({ etag }) => `W/${etag}`)].filter(Boolean).join(", ");
  }

  /** What is kept, under the headers that it has by now, where an answer says that it holds good; null: the answer is the reader's. */
  kept({ status, headers }: Pick<Response, "status" | "headers">): Pick<KeptAnswer, "headers" | "bytes"> | null {
    const etag = opaque(headers.get("etag") ?? "");
    if (status !== 304 || this.#own.includes(etag)) return null;
    const found = this.#kept.find((one) => one.etag === etag);
    if (found === undefined) return null;
    const present = new Headers(found.headers);
    for (const [name, value] of headers) present.set(name, value);
    return { headers: present, bytes: found.bytes };
  }
}
