import { Duplex } from "node:stream";
import { constants, createBrotliCompress } from "node:zlib";
import { largeBytes } from "#contract/body-limits.ts";
import { FairQueue } from "#contract/rules/fair-queue.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";
import { lengthOf, onePiece } from "./body-limit.ts";

/** Very long answers, in bytes, go as they are, and a front door packs them: what is made for one reader, and what would leave no room for others. */
const tooLong = { once: 1_048_576, kept: 4_194_304 };
/** Bytes of packed answers that are kept. */
const keptBytes = 16_777_216;
/** Answers of one workspace or person that wait to be packed; a launch that all the world reads has its page packed once. */
const waitingEach = 200;

const text = /^text\/|[/+](?:json|xml|javascript)\b/;

/**
 * Packs answers. The server by itself does that in one go, some hundredths of a second for a long feed, in which everybody's requests wait, and
 * again for each reader. Here what everybody may read is packed once for all of them, and what is large piece by piece, one answer at a time, in
 * turns and with pauses.
 */
export class Packing {
  readonly #turns = new FairQueue(waitingEach);
  readonly #kept = new RecentlyUsed<Packed>(keptBytes, ({ byteLength }) => byteLength);
  /** Those that are being made: who comes meanwhile waits for the same. */
  readonly #making = new Map<string, Promise<Packed>>();

  /**
   * The answer as it goes to who has asked; `owner` is whose turn it takes when it is large, and throws QueueFull where too many of that wait. Files of our own, of
   * which there are so many and no more, take none.
   */
  async pack(asked: Request, answer: Response, owner: string | null, place = asked.url): Promise<Response> {
    const length = lengthOf(answer.headers);
    if (length <= largeBytes && !asked.headers.has("accept-encoding")) return answer;
    if (!isText(answer)) return answer;
    const etag = answer.headers.get("etag");
    const isKept = etag !== null && /\bpublic\b/.test(answer.headers.get("cache-control") ?? ""); // nothing that is not for everybody
    const encoding = packingFor(asked.headers);
    if (length <= largeBytes && !(isKept && encoding !== null)) return answer;
    const headers = new Headers(answer.headers);
    if (encoding === null || length > (isKept ? tooLong.kept : tooLong.once)) {
      headers.append("cache-control", "no-transform");
      return new Response(answer.body, { status: answer.status, headers });
    }
    const key = isKept ? `${owner}\n${place}\n${etag}\n${encoding}` : null;
    const packed = await this.#packed(answer, length > largeBytes ? owner : null, key, encoding, owner === null);
    headers.set("content-encoding", encoding);
    headers.set("content-length", String(packed.byteLength));
    headers.delete("accept-ranges");
    if (etag !== null) headers.set("etag", etag.replace(/^(?!W\/)/, "W/")); // the same, and not byte by byte
    if (!/\baccept-encoding\b/i.test(headers.get("vary") ?? "")) headers.append("vary", "Accept-Encoding");
    return new Response(packed, { status: answer.status, headers });
  }

  async #packed(answer: Response, owner: string | null, key: string | null, encoding: Encoding, isFile: boolean): Promise<Packed> {
    const make = () => new Response(answer.body!.pipeThrough(packer(encoding, owner === null))).bytes();
    const inTurn = () => (owner === null ? make() : this.#turns.run(owner, make));
    if (key === null) return await inTurn();
    const known = this.#kept.get(key) ?? this.#making.get(key);
    if (known) {
      // A connection that is not read to its end is lost to the next question; of a short answer all is here already. Of a file nothing is read yet.
      const unread = isFile || lengthOf(answer.headers) > largeBytes ? answer.body!.cancel() : answer.bytes();
      unread.catch(() => {}); // what has failed needs no end
      return await known;
    }
    const making = inTurn().finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    const packed = await making;
    this.#kept.set(key, packed);
    return packed;
  }
}

type Packed = Uint8Array<ArrayBuffer>;

function isText({ status, headers, body }: Response): boolean {
  const length = lengthOf(headers);
  return (
    status === 200 &&
    body !== null &&
    Number.isFinite(length) &&
    length > onePiece &&
    text.test(headers.get("content-type") ?? "") &&
    !headers.has("content-encoding") &&
    !/\bno-transform\b/.test(headers.get("cache-control") ?? "")
  );
}

type Encoding = "br" | "gzip";
/**
 * Brotli's quality for short answers and our own files, and for long ones: of words that hardly come again, half a megabyte takes 6 ms where it takes 40
 * with the higher one, and gzip 11. Of pages that people write the lower one leaves 6 % more.
 */
const quality = { short: 6, long: 4 };

function packer(encoding: Encoding, isShort: boolean): ReadableWritablePair<Packed, BufferSource> {
  if (encoding === "gzip") return new CompressionStream("gzip");
  const params = { [constants.BROTLI_PARAM_QUALITY]: isShort ? quality.short : quality.long };
  return Duplex.toWeb(createBrotliCompress({ params })) as ReadableWritablePair<Packed, BufferSource>;
}

/** Brotli makes it smaller, and of long answers it is quicker as well. */
function packingFor(headers: Headers): Encoding | null {
  const read = headers.get("accept-encoding") ?? "";
  return (["br", "gzip"] as const).find((encoding) => reads(encoding, read)) ?? null;
}

const reads = (encoding: Encoding, header: string): boolean =>
  header.split(",").some((one) => {
    const [name, ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
