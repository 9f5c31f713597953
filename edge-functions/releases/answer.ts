import type { Rendered } from "./page-cache.ts";

/** Fresh for shared caches a minute long; a browser asks every time and mostly hears 304. */
const shared = "public, max-age=0, s-maxage=60, stale-while-revalidate=600";

const matches = (header: string | null, etag: string): boolean =>
  header !== null && header.split(",").some((candidate) => candidate.trim() === "*" || candidate.trim().replace(/^W\//, "") === etag);

/** The answer to a GET or HEAD: 304 when the reader has these very bytes. A 404 is not kept, so that what is published appears at once. */
export function answer(request: Request, { status, type, body, etag }: Rendered, more: Record<string, string> = {}): Response {
  const headers = new Headers({
    "cache-control": status === 200 ? shared : "no-store",
    // Which workspace is meant stands in the host that the front door hands on.
    vary: "X-Forwarded-Host",
    ...more,
  });
  if (status === 200) headers.set("etag", etag);
  if (status === 200 && matches(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  headers.set("content-type", type);
  headers.set("content-length", String(body.byteLength));
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}
