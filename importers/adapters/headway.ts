import { fromHtml } from "hast-util-from-html";
import { decodeEntities } from "#contract/blocks/text.ts";
import { isoDate } from "../dates.ts";
import { type Adapter, type EntryContent, type ImportEntry, ImportProblem, type SourceFile } from "../entry.ts";
import { entriesOf, isXmlFeed, limitNote, readFeed } from "./feed.ts";
import { finished, notTooMany } from "../finish.ts";
import { attributeText, classOf, type Element, isElement, plainWords, wordsOf } from "../html/elements.ts";
import { addressesOf, Missing } from "../records.ts";
import { beginning, called, readText } from "../files/text.ts";
import { figure } from "#contract/rules/figure.ts";

const product = "Headway";
const home = "https://headwayapp.co";
/** `/acme-changelog/a-title-123456`, or `/a-title-123456` on a custom domain. */
const permalink = /^\/(?:([\w-]+-changelog)\/)?([^/]*?-?(\d{3,12}))\/?$/;
const mostTags = 60_000;

/** Removes Headway's image sizes: `![](url =300x200)`. */
export const withoutSizes = (markdown: string): string =>
  markdown.replace(/(!\[[^\]\n]{0,500}\]\([^()\s]{1,2048})[ \t]+=\d*x\d*(?=[\s)])/g, "$1");
const isDialect = (text: string): boolean => /!\[[^\]\n]{0,500}\]\([^()\s]{1,2048}[ \t]+=\d*x\d*\s*\)/.test(text);

const childrenOf = (node: { children: unknown[] }): Element[] => (node.children as { type: string }[]).filter(isElement);

function* within(node: { children: unknown[] }): Generator<Element> {
  const waiting = [...childrenOf(node)].reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    waiting.push(...childrenOf(next).reverse());
  }
}
const find = (node: Element, fits: (element: Element) => boolean): Element | undefined => [...within(node)].find(fits);
const plain = (node: Element | undefined): string => (node === undefined ? "" : plainWords(node));

interface Place {
  id: string;
  tail: string;
  href: string;
}

function placeOf(node: Element, base: string): Place | null {
  const href = attributeText(node, "href");
  if (node.tagName !== "a" || href === "" || !URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  const [, , tail, id] = (url.origin === new URL(base).origin || url.origin === home ? permalink.exec(url.pathname) : null) ?? [];
  return id === undefined || tail === undefined ? null : { id, tail, href: url.href.replace(/[?#].*$/, "") };
}

/** The article of a post: the largest element without another post's link. */
function articles(root: { children: unknown[] }, base: string): { place: Place; node: Element }[] {
  const ids = new Map<Element, Set<string>>();
  const places = new Map<string, Place>();
  const collect = (node: Element): Set<string> => {
    const own = new Set<string>();
    const place = placeOf(node, base);
    if (place !== null) {
      own.add(place.id);
      if (!places.has(place.id)) places.set(place.id, place);
    }
    for (const child of childrenOf(node)) for (const id of collect(child)) own.add(id);
    ids.set(node, own);
    return own;
  };
  const articlesFound: { place: Place; node: Element }[] = [];
  const seen = new Set<string>();
  const descend = (node: Element): void => {
    const own = ids.get(node)!;
    if (own.size === 0) return;
    const hasMany = own.size > 1 || node.tagName === "body" || node.tagName === "html";
    if (hasMany) return childrenOf(node).forEach(descend);
    const [id] = [...own];
    if (id === undefined || seen.has(id)) return;
    // Skips lists of titles that link to the posts.
    if (find(node, isContent) === undefined && !/^(?:article|section|li|div)$/.test(node.tagName)) return;
    seen.add(id);
    articlesFound.push({ place: places.get(id)!, node });
  };
  for (const child of childrenOf(root)) collect(child);
  for (const child of childrenOf(root)) descend(child);
  return articlesFound;
}

const isContent = (node: Element): boolean =>
  /(?:^|[\s_-])(?:content|body|markdown|description|text)(?:[\s_-]|$)/i.test(classOf(node)) &&
  !/header|title|meta|footer/i.test(classOf(node));
const isCategory = (node: Element): boolean => /categor|(?:^|[\s_-])(?:label|tag|badge)(?:[\s_-]|$)/i.test(classOf(node));
const isDate = (node: Element): boolean =>
  node.tagName === "time" || /(?:^|[\s_-])(?:date|time|published)(?:[\s_-]|At|$)/i.test(classOf(node));

function dateIn(article: Element): string | null {
  for (const node of within(article)) {
    if (!isDate(node)) continue;
    const candidates = [attributeText(node, "dateTime"), attributeText(node, "title"), attributeText(node, "dataDate"), plain(node)]
      .map((text) => isoDate(text))
      .find((date) => date !== null);
    if (candidates) return candidates;
  }
  const words = [...within(article)].filter((node) => childrenOf(node).length === 0).map(plain);
  return words.map((text) => (text.length < 40 ? isoDate(text) : null)).find((date) => date !== null) ?? null;
}

interface Page {
  html: string;
  base: string;
  others: string[];
}

function entryOf({ place, node }: { place: Place; node: Element }, { html, base, others }: Page, missing: Missing): ImportEntry {
  const heading = find(node, ({ tagName }) => /^h[1-4]$/.test(tagName));
  const link = find(node, (one) => placeOf(one, base)?.id === place.id && plain(one) !== "");
  const title = plain(heading) || attributeText(link ?? node, "title") || plain(link);
  const body = find(node, isContent);
  const date = dateIn(node);
  if (title === "") missing.of("title");
  if (date === null) missing.of("date", title);
  if (body === undefined) missing.of("content", title);
  const categories = [...within(node)].filter((one) => isCategory(one) && ![...within(one)].some(isCategory) && one !== body).map(plain);
  const start = body?.position?.start.offset ?? 0;
  const end = body?.position?.end.offset ?? 0;
  const source = html.slice(start, end);
  const words = body === undefined ? "" : wordsOf(body);
  const content: EntryContent = isDialect(words)
    ? { kind: "markdown", text: withoutSizes(decodeEntities(words)).replace(/^[ \t]+/gm, ""), base: place.href }
    : { kind: "html", text: source, base: place.href };
  return {
    external_id: `headway:${place.id}`,
    title,
    published_at: date,
    status: "published",
    tags: [...new Set(categories)].filter((name) => name !== "" && name.length <= 60),
    slug: place.tail.replace(/-?\d+$/, "") || null,
    old_urls: addressesOf(place.href, ...others.map((origin) => `${origin}/${place.tail}`)),
    content,
    notes: [],
  };
}

function othersOf(root: { children: unknown[] }, html: string, base: string): string[] {
  const origin = new URL(base).origin;
  const canonical = [...within(root)].find((node) => node.tagName === "link" && attributeText(node, "rel") === "canonical");
  const canonicalUrl = canonical === undefined ? "" : attributeText(canonical, "href");
  const own = canonicalUrl !== "" && URL.canParse(canonicalUrl, base) ? new URL(canonicalUrl, base).origin : origin;
  const [, slug] = /\bheadwayapp\.co\/([\w-]+-changelog)\b/.exec(`${base} ${html}`) ?? [];
  const atHeadway = slug === undefined ? [] : [`${home}/${slug}`];
  return [...new Set([...(own === home ? [] : [own]), ...(origin === home ? [] : [origin]), ...atHeadway])];
}

function readPage(
  file: SourceFile,
  address: string | undefined,
  notes: string[],
  missing: Missing,
): { name: string | null; entries: ImportEntry[] } {
  const { text, note } = readText(file);
  if (note !== null) notes.push(note);
  const pageUrl = address !== undefined && URL.canParse(address) ? address : undefined;
  const canonicalUrl = /<link\b[^>]{0,300}\brel=["']canonical["'][^>]{0,300}\bhref=["'](https?:[^"'\s]{1,500})["']/i.exec(text)?.[1];
  const base = pageUrl ?? (canonicalUrl !== undefined && URL.canParse(canonicalUrl) ? canonicalUrl : home);
  if ((text.match(/<[a-z]/gi)?.length ?? 0) > mostTags)
    throw new ImportProblem(`${called(file)} has more than ${figure(mostTags)} tags, more than any Headway page`);
  let root: ReturnType<typeof fromHtml>;
  let posts: ReturnType<typeof articles>;
  try {
    root = fromHtml(text);
    posts = articles(root, base);
  } catch (cause) {
    if (cause instanceof RangeError) throw new ImportProblem(`${called(file)} is nested too deeply`, { cause });
    throw cause;
  }
  notTooMany(posts.length);
  const page = { html: text, base, others: othersOf(root, text, base) };
  const title = [...within(root)].find(({ tagName }) => tagName === "title");
  return { name: plain(title) || null, entries: posts.map((one) => entryOf(one, page, missing)) };
}

const isMarkup = (file: SourceFile): boolean => /^\s*</.test(beginning(file, 200));

/**
 * A saved Headway page, or its feed. The markup is undocumented: posts are found by URLs that end in a number, their parts by class names.
 */
export const headway: Adapter = {
  source: "headway",
  recognizes(files) {
    const [first] = files;
    if (first === undefined || !isMarkup(first)) return 0;
    const start = beginning(first, 262_144);
    if (isXmlFeed(first)) return /headwayapp\.co/i.test(start) ? 2 : 0;
    return /headwayapp\.co|headway-widget|powered by headway/i.test(start) ? 2 : /^headway/i.test(first.name) ? 1 : 0;
  },
  read(files, { address }) {
    const notes: string[] = [];
    const missing = new Missing();
    const entries: ImportEntry[] = [];
    let name: string | null = null;
    for (const file of files) {
      if (isXmlFeed(file)) {
        const feed = readFeed(file, notes);
        name ??= feed.title;
        const items = entriesOf(feed, address, missing).map((entry): ImportEntry => ofFeed(entry, address));
        entries.push(...items);
        if (files.length === 1) notes.push(...limitNote(items.length));
      } else {
        const page = readPage(file, address, notes, missing);
        name ??= page.name;
        entries.push(...page.entries);
      }
    }
    if (entries.length === 0) {
      throw new ImportProblem("No posts on this Headway page: no link ends in a post's number, such as /a-title-123456");
    }
    const firstAt = new Map<string, number>();
    for (const [at, { external_id }] of entries.entries()) if (!firstAt.has(external_id)) firstAt.set(external_id, at);
    return finished({
      source: "headway",
      name,
      entries: entries.filter(({ external_id }, at) => firstAt.get(external_id) === at),
      notes: [...notes, ...missing.notes(product)],
    });
  },
};

function ofFeed(entry: ImportEntry, address: string | undefined): ImportEntry {
  const url = entry.old_urls[0];
  const [, , tail, id] = (url === undefined ? null : permalink.exec(new URL(url).pathname)) ?? [];
  if (id === undefined || tail === undefined) return entry;
  const own =
    address !== undefined && URL.canParse(address) && new URL(address).origin !== home ? [`${new URL(address).origin}/${tail}`] : [];
  const isMarkdown = entry.content.kind === "html" && isDialect(entry.content.text);
  const content: EntryContent =
    isMarkdown && entry.content.kind === "html"
      ? {
          kind: "markdown",
          text: withoutSizes(
            decodeEntities(
              entry.content.text
                .replace(/<br\s*\/?>/gi, "\n")
                .replace(/<\/p>\s*<p>/gi, "\n\n")
                .replace(/<\/?p>/gi, ""),
            ),
          ),
          base: url!,
        }
      : entry.content;
  return { ...entry, external_id: `headway:${id}`, slug: tail.replace(/-?\d+$/, "") || null, old_urls: addressesOf(url, ...own), content };
}
