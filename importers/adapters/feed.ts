import { type AtomFeed, parseFeed, parseJsonFeed, type MediaNs, type RdfFeed, type RssFeed, type JsonFeed } from "feedsmith";
import { decodeEntities, escapeHtml } from "#contract/blocks/text.ts";
import { momentOf } from "../dates.ts";
import { type Adapter, type ImportEntry, ImportProblem, type SourceFile } from "../entry.ts";
import { refuseEntities, xmlText } from "../files/xml-text.ts";
import { finished, notTooMany } from "../finish.ts";
import { jsonValues } from "../files/json.ts";
import { placeholderNote, withoutPlaceholders } from "../placeholders.ts";
import { addressesOf, dateOf, isFields, looksLikeHtml, Missing, plainAsHtml } from "../records.ts";
import { beginning, called } from "../files/text.ts";
import {
  type Attachment,
  factsOf,
  htmlOf,
  isWordPressExport,
  type Library,
  stateOf,
  withFactsAsCategories,
  type WordPressFacts,
} from "./wordpress-items.ts";

const lastLine =
  /<p>The post <a [^>]{0,2000}>[^<]{0,500}<\/a> (?:first appeared|appeared first) on <a [^>]{0,2000}>[^<]{0,500}<\/a>\.?<\/p>\s*$/;

export interface FeedItem {
  guid: string | undefined;
  link: string | undefined;
  title: string | undefined;
  html: string | undefined;
  summary: string | undefined;
  date: string | undefined;
  tags: readonly (string | undefined)[];
  author: string | undefined;
  cover: string | undefined;
  base: string | undefined;
  isDraft?: boolean;
  /** WordPress exports (WXR) only. */
  wordpress?: WordPressFacts;
}

export interface FeedRead {
  title: string | null;
  site: string | null;
  items: FeedItem[];
  /** WXR only: media files, and types of items that are neither media nor posts. */
  wordpress?: { files: Attachment[]; otherTypes: string[] };
}

const plain = (text: string | undefined): string | undefined =>
  text &&
  decodeEntities(text.replace(/<\/?[a-z][^<>]*>/gi, ""))
    .replace(/\s+/g, " ")
    .trim();
/** Decodes titles that were escaped twice. */
const titleOf = (text: string | undefined, type?: string): string | undefined =>
  type === "html" || type === "xhtml" || /&(?:amp|lt|gt|quot|apos|#\d{1,6}|#x[\da-f]{1,5});/i.test(text ?? "")
    ? plain(text)
    : text?.replace(/\s+/g, " ").trim();
const asHtml = (text: string | undefined): string | undefined =>
  text === undefined || looksLikeHtml(text) || /&[a-z#]/i.test(text) ? text : plainAsHtml(text);

/** The description counts as a summary if it's plain text and not the truncated start. */
function summaryOf(text: string | undefined): string | undefined {
  const words = plain(text);
  if (!words || looksLikeHtml(text ?? "") || words.length > 400 || /(?:\[…\]|\[\.\.\.\]|…|\.\.\.)$/.test(words)) return undefined;
  return words;
}

const pictureOf = (media: MediaNs.ItemOrFeed | undefined): string | undefined =>
  media?.contents?.find(({ medium, type, url }) => url && (medium === "image" || type?.startsWith("image/")))?.url ??
  media?.thumbnails?.[0]?.url;

const rssItem = (item: RssFeed.Item<string>): FeedItem => {
  const whole = item.content?.encoded;
  const isPlace = item.guid?.isPermaLink !== false && /^https?:\/\//i.test(item.guid?.value ?? "");
  return {
    guid: item.guid?.value,
    link:
      item.link ??
      item.atom?.links?.find(({ rel }) => rel === undefined || rel === "alternate")?.href ??
      (isPlace ? item.guid?.value : undefined),
    title: titleOf(item.title ?? item.dc?.titles?.[0]),
    html: whole ?? asHtml(item.description),
    summary: whole === undefined ? undefined : summaryOf(item.description),
    date: item.pubDate ?? item.dc?.dates?.[0] ?? item.atom?.published ?? item.atom?.updated,
    tags: [...(item.categories ?? []).map(({ name }) => name), ...(item.dc?.subjects ?? [])],
    author: item.dc?.creators?.[0] ?? item.authors?.[0]?.name,
    cover: item.enclosures?.find(({ type }) => type?.startsWith("image/"))?.url ?? pictureOf(item.media),
    base: item.xml?.base ?? item.link,
  };
};

function wordPressItem(item: RssFeed.Item<string>): FeedItem {
  const { facts, categories } = factsOf(item.categories ?? []);
  const read = rssItem({ ...item, categories: categories as typeof item.categories & object });
  const date = momentOf(read.date) === null ? (facts.date ?? read.date) : read.date;
  return { ...read, summary: facts.excerpt ?? read.summary, date, wordpress: facts };
}

const fileOf = ({ wordpress, guid }: FeedItem): Attachment[] => {
  if (wordpress?.type !== "attachment") return [];
  const { id, parent, order, alt, file = guid, excerpt = "" } = wordpress;
  return file === undefined ? [] : [{ id, parent, order, alt, url: file, caption: escapeHtml(excerpt) }];
};

/** WXR also contains pages, media and menus. */
function readWordPress(feed: RssFeed.Feed<string>): FeedRead {
  const items = ((feed.items ?? []) as RssFeed.Item<string>[]).map(wordPressItem);
  const typeOf = ({ wordpress }: FeedItem): string => wordpress?.type || "post";
  const otherTypes = items.map(typeOf).filter((type) => type !== "post" && type !== "attachment");
  return {
    title: titleOf(feed.title) ?? null,
    site: feed.link ?? null,
    items: items.filter((item) => typeOf(item) === "post"),
    wordpress: { files: items.flatMap(fileOf), otherTypes },
  };
}

const rdfItem = (item: RdfFeed.Item<string>): FeedItem => ({
  guid: item.rdf?.about ?? item.link,
  link: item.link,
  title: titleOf(item.title ?? item.dc?.titles?.[0]),
  html: item.content?.encoded ?? asHtml(item.description ?? item.dc?.descriptions?.[0]),
  summary: item.content?.encoded === undefined ? undefined : summaryOf(item.description),
  date: item.dc?.dates?.[0],
  tags: item.dc?.subjects ?? [],
  author: item.dc?.creators?.[0],
  cover: pictureOf(item.media),
  base: item.xml?.base ?? item.link,
});

const from = (address: string | undefined, base: string | undefined): string | undefined => {
  if (address === undefined || URL.canParse(address)) return address;
  return base !== undefined && URL.canParse(address, base) ? new URL(address, base).href : base === undefined ? address : undefined;
};

function atomItem(entry: AtomFeed.Entry<string>, feedBase: string | undefined, feedAuthor: string | undefined): FeedItem {
  const own = from(entry.xml?.base, feedBase) ?? feedBase;
  const link = from(
    (
      entry.links?.find(({ rel }) => rel === undefined || rel === "alternate") ??
      entry.links?.find(({ rel }) => rel !== "edit" && rel !== "self")
    )?.href,
    own,
  );
  const { content, summary } = entry;
  const text = content?.value ?? summary?.value;
  const type = content?.value === undefined ? summary?.type : content.type;
  const isText = type === undefined || type === "text" || type === "text/plain";
  return {
    guid: entry.id ?? link,
    link,
    title: titleOf(entry.title?.value, entry.title?.type),
    html: isText ? asHtml(text) : text,
    summary: content?.value === undefined ? undefined : summaryOf(summary?.value),
    date: entry.published ?? entry.updated,
    tags: (entry.categories ?? []).filter(({ scheme }) => scheme !== kindScheme).map(({ label, term }) => label ?? term),
    author: entry.authors?.[0]?.name ?? feedAuthor,
    cover:
      from(entry.links?.find(({ rel, type: kind }) => rel === "enclosure" && kind?.startsWith("image/"))?.href, own) ??
      pictureOf(entry.media),
    base:
      from((content?.value === undefined ? summary : content)?.xml?.base, own) ??
      (entry.xml?.base === undefined && feedBase === undefined ? link : own),
    isDraft: entry.app?.control?.draft === true,
  };
}

/** Blogger exports settings, templates, pages and comments as entries too. */
const kindScheme = "http://schemas.google.com/g/2005#kind";
const isPost = ({ categories = [] }: AtomFeed.Entry<string>): boolean => {
  const kind = categories.find(({ scheme }) => scheme === kindScheme);
  return kind === undefined || kind.term?.endsWith("#post") === true;
};

const jsonItem = (item: JsonFeed.Item<string>, feedAuthor: string | undefined): FeedItem => ({
  guid: item.id ?? item.url,
  link: item.url ?? item.external_url,
  title: item.title,
  html: item.content_html ?? (item.content_text === undefined ? undefined : plainAsHtml(item.content_text)),
  summary: item.summary,
  date: item.date_published ?? item.date_modified,
  tags: item.tags ?? [],
  author: item.authors?.[0]?.name ?? feedAuthor,
  cover: item.image ?? item.banner_image,
  base: item.url ?? item.external_url,
});

function readJson(file: SourceFile, notes: string[]): FeedRead {
  const { values, note } = jsonValues(file);
  if (note !== null) notes.push(note);
  const [value] = values;
  if (!isFields(value) || !Array.isArray(value["items"]))
    throw new ImportProblem(`${called(file)} isn't a JSON Feed: it has no field “items”`);
  notTooMany(value["items"].length);
  const feed = parsedJson(value, file);
  return {
    title: feed.title ?? null,
    site: feed.home_page_url ?? feed.feed_url ?? null,
    items: (feed.items ?? []).map((item) => jsonItem(item as JsonFeed.Item<string>, feed.authors?.[0]?.name)),
  };
}

/** Ignores the version field: the other fields suffice. */
function parsedJson(value: object, file: SourceFile): ReturnType<typeof parseJsonFeed> {
  try {
    return parseJsonFeed({ title: "", ...value, version: "https://jsonfeed.org/version/1.1" });
  } catch {
    throw new ImportProblem(`${called(file)} isn't a valid JSON Feed: its fields have other types`);
  }
}

function readXml(file: SourceFile, notes: string[]): FeedRead {
  const { text, note } = xmlText(file);
  if (note !== null) notes.push(note);
  refuseEntities(text);
  if (/^\s*<(?:!doctype html|html)\b/i.test(text)) throw new ImportProblem(`${called(file)} is a web page, not a feed`);
  if (!/<(?:\w+:)?(?:rss|feed|RDF)[\s>]/i.test(text))
    throw new ImportProblem(`${called(file)} isn't a feed: it has no element <rss>, <feed> or <rdf:RDF>`);
  // Count check before parsing.
  notTooMany(text.match(/<(?:\w+:)?(?:item|entry)[\s>]/gi)?.length ?? 0);
  const isWordPress = isWordPressExport(text);
  let parsed: ReturnType<typeof parseFeed>;
  try {
    parsed = parseFeed(isWordPress ? withFactsAsCategories(text) : text);
  } catch {
    const isCut = !/<\/(?:\w+:)?(?:rss|feed|RDF)\s*>\s*(?:<!--[^]*-->\s*)?$/i.test(text);
    throw new ImportProblem(
      isCut
        ? `${called(file)} is incomplete: please download it again`
        : `${called(file)} isn't a valid feed: it isn't XML, or has no post`,
    );
  }
  const { format, feed } = parsed;
  if (format === "rss" && isWordPress) return readWordPress(feed as RssFeed.Feed<string>);
  if (format === "rss" || format === "rdf") {
    const items =
      format === "rss"
        ? ((feed.items ?? []) as RssFeed.Item<string>[]).map(rssItem)
        : ((feed.items ?? []) as RdfFeed.Item<string>[]).map(rdfItem);
    return { title: titleOf(feed.title) ?? null, site: feed.link ?? null, items };
  }
  if (format !== "atom") throw new ImportProblem(`${called(file)} isn't a valid feed`);
  const base = feed.xml?.base ?? feed.links?.find(({ rel }) => rel === "self")?.href;
  const site = feed.links?.find(({ rel }) => rel === undefined || rel === "alternate")?.href ?? base ?? null;
  const all = (feed.entries ?? []) as AtomFeed.Entry<string>[];
  const posts = all.filter(isPost);
  if (posts.length < all.length) notes.push(`${all.length - posts.length} other entries, such as pages and comments, were skipped`);
  const items = posts.map((entry) => atomItem(entry, feed.xml?.base ?? base, feed.authors?.[0]?.name));
  return { title: titleOf(feed.title?.value, feed.title?.type) ?? null, site: from(site ?? undefined, base) ?? null, items };
}

export function readFeed(file: SourceFile, notes: string[]): FeedRead {
  return /^\s*[[{]/.test(beginning(file, 200)) ? readJson(file, notes) : readXml(file, notes);
}

export const isXmlFeed = (file: SourceFile): boolean => {
  const start = beginning(file) || String.fromCharCode(...file.bytes.subarray(0, 4_096)).replaceAll("\0", "");
  return /<(?:\w+:)?(?:rss|feed|RDF)[\s>]/i.test(start) && !/^\s*<(?:!doctype html|html)\b/i.test(start);
};

const usualLimits = new Set([10, 15, 20, 25, 50]);

const hostOf = (address: string | null | undefined): string | null => (address && URL.canParse(address) ? new URL(address).host : null);

/** Ids are the feed's guids. `library` covers all files of a WordPress export. */
export function entriesOf(
  { site, items }: FeedRead,
  address: string | undefined,
  missing: Missing,
  library: Library = new Map(),
): ImportEntry[] {
  const host = hostOf(site) ?? hostOf(items.find(({ link }) => link)?.link) ?? hostOf(address) ?? "unknown";
  return items.map((item): ImportEntry => {
    const base = from(item.base, site ?? address) ?? site ?? address;
    const link = from(item.link, site ?? address);
    const whole = (item.html ?? "").replace(lastLine, "");
    const { wordpress } = item;
    const { html, notes } = wordpress === undefined ? { html: whole, notes: [] } : htmlOf(whole, wordpress.id, library);
    const { text, names } = withoutPlaceholders(html);
    const title = withoutPlaceholders(item.title ?? "");
    const called = title.text || (item.link ?? item.guid);
    if (item.html === undefined) missing.of("content", called);
    if (item.date === undefined) missing.of("date", called);
    const cover = from(item.cover, base);
    const featured = wordpress?.thumbnail === undefined ? undefined : library.get(wordpress.thumbnail);
    if (wordpress?.thumbnail !== undefined && featured === undefined) notes.push("Its featured image isn't in the export");
    const status = item.isDraft === true ? ("draft" as const) : ("published" as const);
    const state = wordpress === undefined ? { status, notes: [] } : stateOf(wordpress);
    const isScheduled = state.status === "scheduled";
    const date = dateOf(item.date);
    return {
      external_id: `feed:${host}:${item.guid ?? link ?? `${title.text} ${item.date ?? ""}`.trim()}`,
      title: title.text,
      published_at: isScheduled ? null : date,
      ...(isScheduled ? { publish_at: date } : {}),
      status: state.status,
      tags: item.tags.filter((tag): tag is string => tag !== undefined && tag.trim() !== "").map((tag) => decodeEntities(tag.trim())),
      ...(item.summary === undefined ? {} : { summary: item.summary }),
      ...(wordpress?.slug === undefined ? {} : { slug: wordpress.slug }),
      ...(featured !== undefined
        ? { cover: { url: featured.url, alt: featured.alt } }
        : cover === undefined || text.includes(cover)
          ? {}
          : { cover: { url: cover } }),
      author: item.author ?? null,
      old_urls: state.status === "published" ? addressesOf(link) : [],
      content: { kind: "html", text, ...(base === undefined ? {} : { base }) },
      notes: [...state.notes, ...notes, ...placeholderNote([...new Set([...title.names, ...names])])],
    };
  });
}

export const limitNote = (count: number): string[] =>
  usualLimits.has(count) ? [`This feed seems to have only its latest ${count} posts`] : [];

export const feed: Adapter = {
  source: "feed",
  recognizes: ([first]) => {
    if (first === undefined) return 0;
    if (/^\s*\{/.test(beginning(first, 200)))
      return /"version"\s*:\s*"https?:\\?\/\\?\/jsonfeed\.org/.test(beginning(first, 65_536)) ? 2 : 0;
    return isXmlFeed(first) ? 1 : 0;
  },
  read(files, { address }) {
    const notes: string[] = [];
    const missing = new Missing();
    const feeds = files.map((file) => readFeed(file, notes));
    const entries = feeds.flatMap((one) => entriesOf(one, address, missing));
    const name = feeds.find(({ title }) => title)?.title ?? null;
    if (entries.length === 0) notes.push("This feed has no posts");
    if (files.length === 1) notes.push(...limitNote(entries.length));
    return finished({ source: "feed", name, entries, notes: [...notes, ...missing.notes("the feed")] });
  },
};
