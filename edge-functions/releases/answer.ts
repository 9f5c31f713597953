import type { Rendered } from "./page-cache.ts";
import type { Resource } from "./resource.ts";

/** Fresh for shared caches a minute long, shown for an hour more while we are down; a browser asks every time and mostly hears 304. */
const shared = "public, max-age=0, s-maxage=60, stale-while-revalidate=600, stale-if-error=3600";

/** Which workspace is meant stands in the host that the front door hands on; see ./site.ts. */
export const hostVary = { vary: "Forwarded, X-Forwarded-Host" };
export const crossOriginVary = { vary: `Origin, ${hostVary.vary}` };

const matches = (header: string | null, etag: string): boolean =>
  header !== null && header.split(",").some((candidate) => candidate.trim() === "*" || candidate.trim().replace(/^W\//, "") === etag);

interface Sending {
  /** The request's. */
  id: string;
  /** Headers that all answers carry. */
  common: Record<string, string>;
  resource: Pick<Resource, "crossOrigin"> | null;
  /** Of a page elsewhere that may read it. */
  origin?: string | null;
}

/** The answer to a GET or HEAD: 304 when the reader has these very bytes, which leaves in force what he got with them. */
export function answer(request: Request, { type, body, etag, keys }: Rendered, { id, common, resource, origin }: Sending): Response {
  const headers: Record<string, string> = {
    etag,
    "cache-control": shared,
    "x-request-id": id,
    ...(resource?.crossOrigin ? crossOriginVary : hostVary),
  };
  if (origin) headers["access-control-allow-origin"] = origin;
  if (matches(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  Object.assign(headers, common, keys, { "content-type": type, "content-length": String(body.byteLength) });
  return new Response(request.method === "HEAD" ? null : body, { headers });
}
