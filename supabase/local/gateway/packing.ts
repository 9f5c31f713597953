import { largeBytes } from "#contract/body-limits.ts";
import { FairQueue } from "#contract/rules/fair-queue.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";
import { lengthOf } from "./body-limit.ts";

/** A very long answer, in bytes, goes as it is: honest pages and feeds are shorter. A front door packs it. */
const tooLong = 1_048_576;
/** Bytes of packed answers that are kept. */
const keptBytes = 16_777_216;
/** Answers of one workspace or person that wait to be packed; a launch that all the world reads has its page packed once. */
const waitingEach = 200;

const text = /^text\/|[/+](?:json|xml|javascript)\b/;

/**
 * Packs large answers. The server by itself does that in one go, some hundredths of a second for a long feed, in which everybody's requests wait,
 * and again for each reader. Here it is done piece by piece, one answer at a time, in turns and with pauses; and once for all who read the same.
 */
export class Packing {
  readonly #turns = new FairQueue(waitingEach);
  readonly #kept = new RecentlyUsed<Packed>(keptBytes, ({ byteLength }) => byteLength);

  /** The answer as it goes to who has asked; `owner` is whose turn it takes. Throws QueueFull. */
  async pack(asked: Request, answer: Response, owner: string): Promise<Response> {
    if (!isLarge(answer)) return answer;
    const headers = new Headers(answer.headers);
    if (lengthOf(answer.headers) > tooLong || !readsGzip(asked.headers)) {
      headers.append("cache-control", "no-transform");
      return new Response(answer.body, { status: answer.status, headers });
    }
    const packed = await this.#packed(asked, answer, owner);
    headers.set("content-encoding", "gzip");
    headers.set("content-length", String(packed.byteLength));
    if (!/\baccept-encoding\b/i.test(headers.get("vary") ?? "")) headers.append("vary", "accept-encoding");
    return new Response(packed, { status: answer.status, headers });
  }

  async #packed(asked: Request, answer: Response, owner: string): Promise<Packed> {
    // Only what everybody may read is kept, at its own address.
    const etag = /\bpublic\b/.test(answer.headers.get("cache-control") ?? "") ? answer.headers.get("etag") : null;
    const key = `${owner}\n${asked.url}\n${etag}`;
    const known = () => (etag === null ? undefined : this.#kept.get(key));
    const unread = (packed: Packed): Packed => {
      answer.body!.cancel().catch(() => {}); // what has failed needs no end
      return packed;
    };
    const before = known();
    if (before) return unread(before);
    return await this.#turns.run(owner, async () => {
      const meanwhile = known(); // somebody before has had it made
      if (meanwhile) return unread(meanwhile);
      const packed = await new Response(answer.body!.pipeThrough(new CompressionStream("gzip"))).bytes();
      if (etag !== null) this.#kept.set(key, packed);
      return packed;
    });
  }
}

type Packed = Uint8Array<ArrayBuffer>;

function isLarge({ headers, body }: Response): boolean {
  const length = lengthOf(headers);
  return (
    body !== null &&
    Number.isFinite(length) &&
    length > largeBytes &&
    text.test(headers.get("content-type") ?? "") &&
    !headers.has("content-encoding") &&
    !/\bno-transform\b/.test(headers.get("cache-control") ?? "")
  );
}

const readsGzip = (headers: Headers): boolean =>
  /(?:^|[,\s])gzip\s*(?:$|,|;(?!\s*q=0(?:\.0+)?\s*(?:$|,)))/i.test(headers.get("accept-encoding") ?? "");
