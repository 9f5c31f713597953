import type { CountSource } from "#contract/analytics.ts";

const sources: Record<CountSource, true> = { page: true, widget: true, mail: true, feed: true, chat: true, api: true };

const sourceNamed = (via: string): CountSource => (Object.hasOwn(sources, via) ? (via as CountSource) : "page");

/** Without port; null for other schemes. */
export function hostOf(address: string | null): string | null {
  if (address === null) return null;
  return /^https?:\/\/([a-z\d.-]{1,253}?)\.?(?::\d{1,5})?(?:[/?#]|$)/i.exec(address)?.[1]?.toLowerCase() ?? null;
}

/** The pixel reads `?via=` from the Referer, so pages stay cacheable; the widget sends it itself. */
export function sourceOf(query: URLSearchParams, headers: Headers, isOurs: (host: string) => boolean): CountSource {
  const own = query.get("via");
  if (own !== null) return sourceNamed(own);
  const referer = headers.get("referer");
  const page = hostOf(referer);
  if (page !== null && isOurs(page)) {
    const via = /[?&]via=([^&#]*)/.exec(referer ?? "")?.[1];
    if (via !== undefined) return sourceNamed(via);
  }
  const from = hostOf(headers.get("origin")) ?? page;
  return headers.get("sec-fetch-dest") === "empty" || (from !== null && !isOurs(from)) ? "widget" : "page";
}
