import { RecentlyUsed } from "#contract/rules/recently-used.ts";
import { lengthOf } from "./body-limit.ts";

const maxBytes = 16_000_000;
const maxBodyBytes = 1_000_000;
const varying = ["accept", "origin", "sec-fetch-site"];

interface Stored {
  etag: string;
  headers: [name: string, value: string][];
  body: Uint8Array<ArrayBuffer>;
}

/** HTTP cache that revalidates each response (RFC 9111), so a body crosses once per version. Requires ETags that are hashes of it. */
export class SharedCache {
  readonly #stored = new RecentlyUsed<Stored>(maxBytes, ({ body }) => body.byteLength);

  /** `send` forwards the request, with If-None-Match if it gets an ETag. Clients that revalidate bypass the cache. */
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
