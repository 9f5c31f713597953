import type { Rendered } from "./page-cache.ts";
import type { Resource } from "./resource.ts";

const whileStale = "stale-while-revalidate=600, stale-if-error=3600";

/** Shared caches: fresh for a minute, stale for an hour while we're down. Browsers revalidate, mostly 304. */
const shared = { "cache-control": `public, max-age=0, s-maxage=60, ${whileStale}` };

/** Widget data: cached by shared caches only (RFC 9213). With stale-while-revalidate, fetch() would show removed posts once more. */
const sharedCrossOrigin = {
  "cache-control": "public, max-age=0, s-maxage=60",
  "cdn-cache-control": `public, max-age=60, ${whileStale}`,
};

/** The workspace depends on the forwarded host, see ./site.ts. */
export const hostVary = { vary: "Forwarded, X-Forwarded-Host, Accept-Encoding" };
export const crossOriginVary = { vary: `Origin, ${hostVary.vary}` };
/** Content negotiation with Markdown. */
const formVary = { vary: `Accept, ${hostVary.vary}` };
export const varyOf = (resource: Pick<Resource, "hasMarkdown"> | null): Record<string, string> =>
  resource?.hasMarkdown ? formVary : hostVary;

export const crossOriginHeaders = (resource: Pick<Resource, "crossOrigin"> | null, origin: string | null): Record<string, string> => ({
  ...(resource?.crossOrigin ? crossOriginVary : hostVary),
  ...(origin !== null && { "access-control-allow-origin": origin }),
});

/** Not cacheable: CDNs ignore Vary and would serve Markdown to browsers. Without noindex, which would apply to the page. */
const inPlace = (copyAt: string): Record<string, string> => ({
  "cache-control": "private, no-store",
  ...formVary,
  "content-location": copyAt,
});

/** CORS of what every site can read. */
export const openToAll = { "access-control-allow-origin": "*", "access-control-expose-headers": "ETag, Link" };

const opaque = (etag: string): string => etag.trim().replace(/^W\//, "");
const matches = (header: string | null, etag: string): boolean =>
  header !== null && header.split(",").some((candidate) => candidate.trim() === "*" || opaque(candidate) === opaque(etag));

interface Sending {
  id: string;
  common: Record<string, string>;
  resource: Pick<Resource, "crossOrigin" | "open" | "hasMarkdown" | "unindexed"> | null;
  copyAt: string | null;
  origin: string | null;
}

/** 304 if the ETag matches; it keeps the stored headers. */
export function answer(
  request: Request,
  { type, body, etag, more }: Rendered,
  { id, common, resource, copyAt, origin }: Sending,
): Response {
  const headers: Record<string, string> = {
    etag,
    ...(resource?.crossOrigin ? sharedCrossOrigin : shared),
    "x-request-id": id,
    ...crossOriginHeaders(resource, origin),
    ...(resource?.hasMarkdown && formVary),
    ...(resource?.open && openToAll),
    ...(copyAt === null ? resource?.unindexed && { "x-robots-tag": "noindex" } : inPlace(copyAt)),
  };
  if (more["cache-control"] !== undefined) {
    headers["cache-control"] = more["cache-control"];
    delete headers["cdn-cache-control"];
  }
  if (matches(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  Object.assign(headers, common, more, { "content-type": type, "content-length": String(body.byteLength) });
  return new Response(body, { headers });
}

/** Purge keys by workspace and post. Cache-Tag: Cloudflare, Bunny; Surrogate-Key: Fastly, Varnish. */
export function cacheKeys(workspaceId: string, postId?: string): Record<string, string> {
  const keys = [`workspace-${workspaceId}`, ...(postId === undefined ? [] : [`post-${postId}`])];
  return { "cache-tag": keys.join(","), "surrogate-key": keys.join(" ") };
}
