import { hasTooManyValues } from "#contract/rules/json-values.ts";
import { nextPlace } from "../address.ts";
import { mostValues, type SourceResponse } from "../source-client.ts";
import { linksIn } from "./links.ts";
import { mostPages, requireAddress, requirePlace } from "./pages.ts";
import type { Source } from "./source.ts";

const accept = "application/feed+json, application/atom+xml, application/rss+xml, application/xml;q=0.9, text/html;q=0.8, */*;q=0.5";
const feedTypes = /^application\/(?:rss\+xml|atom\+xml|feed\+json|rdf\+xml)\b/i;

/** A feed, or the one a page links to, with its further pages (RFC 5005, JSON Feed). */
export const feed: Source = async (client, { address, after }) => {
  const place = requirePlace(after, mostPages);
  const url = requireAddress(client, place.rest || address);
  let response = await client.ask({ url, headers: { accept } });
  if (isPage(response)) {
    const linkedFeed = feedOf(response);
    if (linkedFeed === null) throw client.refuse("There's no feed at this URL, and the page links to none");
    response = await client.ask({ url: requireAddress(client, linkedFeed.href), headers: { accept } });
    if (isPage(response)) throw client.refuse("The page links to a feed that doesn't exist");
  }
  const isJson = /^\s*\{/.test(response.text);
  const next = nextOf(response, isJson);
  return {
    name: `feed-page-${place.page}.${isJson ? "json" : "xml"}`,
    text: response.text,
    address: response.url.href,
    next: next === null ? null : nextPlace(place, mostPages, next),
  };
};

const isPage = ({ text, headers }: SourceResponse): boolean =>
  /^\s*(?:<!--[^>]{0,2000}>\s*)?<(?:!doctype\s+html|html)\b/i.test(text.slice(0, 4_000)) ||
  (/^text\/html\b/i.test(headers.get("content-type") ?? "") && !/^\s*(?:<\?xml|<rss|<feed|<rdf|\{)/i.test(text.slice(0, 1_000)));

function feedOf({ text, url }: SourceResponse): URL | null {
  for (const link of linksIn(text)) {
    const isFeed = /(?:^|\s)alternate(?:\s|$)/i.test(link.get("rel") ?? "") && feedTypes.test(link.get("type") ?? "");
    const feedUrl = isFeed ? URL.parse(link.get("href") ?? "", url) : null;
    if (feedUrl !== null) return feedUrl;
  }
  return null;
}

function nextOf({ text, url }: SourceResponse, isJson: boolean): string | null {
  const nextUrl = isJson
    ? jsonNext(text)
    : linksIn(text.slice(0, text.search(/<(?:item|entry)[\s>]/i) >>> 0))
        .find((link) => link.get("rel") === "next")
        ?.get("href");
  const next = nextUrl ? URL.parse(nextUrl, url) : null;
  return next === null || next.href === url.href ? null : next.href;
}

function jsonNext(text: string): string | undefined {
  if (hasTooManyValues(text, mostValues)) return undefined;
  try {
    const { next_url: next } = JSON.parse(text) as { next_url?: unknown };
    return typeof next === "string" ? next : undefined;
  } catch {
    return undefined;
  }
}
