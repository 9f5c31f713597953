import type { Rendered } from "./page-cache.ts";
import type { Resource } from "./resource.ts";

const whileStale = "stale-while-revalidate=600, stale-if-error=3600";

/** Fresh for shared caches a minute long, shown for an hour more while we are down; who opens a page asks every time and mostly hears 304. */
const shared = { "cache-control": `public, max-age=0, s-maxage=60, ${whileStale}` };

/**
 * The same for what the widget fetches, told to shared caches alone (RFC 9213): to a `fetch` a browser's own cache would answer with what
 * it has and only then ask, so that what was taken down would be shown once more.
 */
const sharedCrossOrigin = {
  "cache-control": "public, max-age=0, s-maxage=60",
  "cdn-cache-control": `public, max-age=60, ${whileStale}`,
};

/** Which workspace is meant stands in the host that the front door hands on, see ./site.ts; somebody on the way may compress. */
export const hostVary = { vary: "Forwarded, X-Forwarded-Host, Accept-Encoding" };
export const crossOriginVary = { vary: `Origin, ${hostVary.vary}` };
/** Of a page that is Markdown to who asks for that. */
const formVary = { vary: `Accept, ${hostVary.vary}` };
export const varyOf = (resource: Pick<Resource, "hasMarkdown"> | null): Record<string, string> =>
  resource?.hasMarkdown ? formVary : hostVary;

/** What a page elsewhere needs in order to read an answer; `origin` is null where none has asked, or may. */
export const crossOriginHeaders = (resource: Pick<Resource, "crossOrigin"> | null, origin: string | null): Record<string, string> => ({
  ...(resource?.crossOrigin ? crossOriginVary : hostVary),
  ...(origin !== null && { "access-control-allow-origin": origin }),
});

/**
 * A copy in the page's place is kept by nobody: most networks keep an answer by its address alone, whatever Vary says, and would show browsers
 * Markdown. Nor is a search engine told to forget the page that stands there.
 */
const inPlace = (copyAt: string): Record<string, string> => ({
  "cache-control": "private, no-store",
  ...formVary,
  "content-location": copyAt,
});

const opaque = (etag: string): string => etag.trim().replace(/^W\//, "");
const matches = (header: string | null, etag: string): boolean =>
  header !== null && header.split(",").some((candidate) => candidate.trim() === "*" || opaque(candidate) === opaque(etag));

interface Sending {
  /** The request's. */
  id: string;
  /** Headers that all answers carry. */
  common: Record<string, string>;
  resource: Pick<Resource, "crossOrigin" | "hasMarkdown" | "unindexed"> | null;
  /** Where a page's copy stands that is sent at the page's own address; null: it is what always stands there. */
  copyAt: string | null;
  /** Of a page elsewhere that may read it. */
  origin: string | null;
}

/** The answer to a GET or HEAD: 304 when the reader has these very bytes, which leaves in force what he got with them. */
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
    ...(copyAt === null ? resource?.unindexed && { "x-robots-tag": "noindex" } : inPlace(copyAt)),
  };
  if (more["cache-control"] !== undefined) headers["cache-control"] = more["cache-control"]; // for one reader alone
  if (matches(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  Object.assign(headers, common, more, { "content-type": type, "content-length": String(body.byteLength) });
  return new Response(body, { headers });
}

/**
 * By what a shared cache in front can be told to forget an answer: everything of a workspace, or one post. Cache-Tag is what Cloudflare
 * and Bunny read, Surrogate-Key what Fastly and Varnish do.
 */
export function cacheKeys(workspaceId: string, postId?: string): Record<string, string> {
  const keys = [`workspace-${workspaceId}`, ...(postId === undefined ? [] : [`post-${postId}`])];
  return { "cache-tag": keys.join(","), "surrogate-key": keys.join(" ") };
}
