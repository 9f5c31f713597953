import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith";
import { JSDOM } from "jsdom";
import { visit } from "./public.ts";

export interface Feed {
  title: string;
  self: string;
  home: string;
  id: string | null;
  updated: string | null;
  entries: FullEntry[];
}

export interface Entry {
  id: string;
  title: string;
  url: string;
  published: string;
  author: string | null;
  summary: string;
}

export interface FullEntry extends Entry {
  updated: string | null;
  content: string;
  tags: string[];
}

export const formats = [
  { name: "rss", path: "/releases/rss.xml", type: "application/rss+xml; charset=utf-8" },
  { name: "atom", path: "/releases/atom.xml", type: "application/atom+xml; charset=utf-8" },
  { name: "json", path: "/releases.feed.json", type: "application/feed+json; charset=utf-8" },
] as const;

export async function feedAt(subdomain: string, path: string): Promise<Feed> {
  const { status, body } = await visit(subdomain, path);
  if (status !== 200) throw new Error(`${path} answers ${status}`);
  if (path.startsWith("/releases/rss")) return fromRss(body);
  return path.startsWith("/releases/atom") ? fromAtom(body) : fromJson(body);
}

const iso = (date: unknown): string => new Date(String(date)).toISOString();

const textOf = (html: string): string => new JSDOM(html).window.document.body.textContent ?? "";

function fromRss(body: string): Feed {
  const feed = parseRssFeed(body);
  return {
    title: feed.title ?? "",
    self: feed.atom?.links?.find(({ rel }) => rel === "self")?.href ?? "",
    home: feed.link ?? "",
    id: null,
    updated: feed.lastBuildDate ? iso(feed.lastBuildDate) : null,
    entries: (feed.items ?? []).map((item) => ({
      id: item.guid?.value ?? "",
      title: item.title ?? "",
      url: item.link ?? "",
      published: iso(item.pubDate),
      updated: null,
      author: item.dc?.creators?.[0] ?? null,
      summary: textOf(item.description ?? ""),
      content: item.content?.encoded ?? "",
      tags: (item.categories ?? []).map(({ name }) => name ?? ""),
    })),
  };
}

function fromAtom(body: string): Feed {
  const feed = parseAtomFeed(body);
  const link = (links: typeof feed.links, wanted: string): string => links?.find(({ rel }) => rel === wanted)?.href ?? "";
  return {
    title: feed.title?.value ?? "",
    self: link(feed.links, "self"),
    home: link(feed.links, "alternate"),
    id: feed.id ?? null,
    updated: iso(feed.updated),
    entries: (feed.entries ?? []).map((entry) => ({
      id: entry.id ?? "",
      title: entry.title?.value ?? "",
      url: link(entry.links, "alternate"),
      published: iso(entry.published),
      updated: iso(entry.updated),
      author: entry.authors?.[0]?.name ?? null,
      summary: entry.summary?.value ?? "",
      content: entry.content?.value ?? "",
      tags: (entry.categories ?? []).map(({ term }) => term ?? ""),
    })),
  };
}

function fromJson(body: string): Feed {
  const feed = parseJsonFeed(body);
  return {
    title: feed.title ?? "",
    self: feed.feed_url ?? "",
    home: feed.home_page_url ?? "",
    id: null,
    updated: null,
    entries: (feed.items ?? []).map((item) => ({
      id: item.id ?? "",
      title: item.title ?? "",
      url: item.url ?? "",
      published: iso(item.date_published),
      updated: iso(item.date_modified),
      author: item.authors?.[0]?.name ?? null,
      summary: item.summary ?? "",
      content: item.content_html ?? "",
      tags: item.tags ?? [],
    })),
  };
}
