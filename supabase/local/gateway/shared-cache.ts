import { RecentlyUsed } from "#contract/rules/recently-used.ts";
import { lengthOf } from "./body-limit.ts";

const maxBytes = 16_000_000;
const maxBodyBytes = 1_000_000;
/** Request headers by which one URL may have several answers. */
const varying = ["accept", "origin", "sec-fetch-site"];

interface Stored {
  etag: string;
  headers: [name: string, value: string][];
  body: Uint8Array<ArrayBuffer>;
}

/**
 * An HTTP cache that revalidates each answer (RFC 9111), so a body is transferred once per version. For a part whose ETags are hashes of the
 * body: a 304 then proves that the stored body is what the part would send.
 */
export class SharedCache {
  readonly #stored = new RecentlyUsed<Stored>(maxBytes, ({ body }) => body.byteLength);

  /** `send` forwards the request, with If-None-Match if it gets an ETag. A client that revalidates its own copy is passed through. */
  async answer({ method, headers }: Request, url: string, send: (etag?: string) => Promise<Response>): Promise<Response> {
    if (method !== "GET" || headers.has("if-none-match") || headers.has("range")) return await send();
    const key = [url, ...varying.map((name) => headers.get(name))].join("\n");
    const stored = this.#stored.get(key);
    const answer = await send(stored?.etag);
    if (stored && answer.status === 304) {
      const renewed = new Response(stored.body, { headers: stored.headers });
      for (const [name, value] of answer.headers) renewed.headers.set(name, value);
      return renewed;
    }
    const etag = answer.headers.get("etag");
    const isStorable = answer.status === 200 && !/no-store|private/.test(answer.headers.get("cache-control") ?? "");
    if (etag === null || !isStorable || lengthOf(answer.headers) > maxBodyBytes) return answer;
    const body = await answer.bytes();
    this.#stored.set(key, { etag, headers: [...answer.headers], body });
    return new Response(body, answer);
  }
}
