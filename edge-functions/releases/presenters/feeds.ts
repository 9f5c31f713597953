import { escapeHtml } from "#contract/blocks/text.ts";
import { readPublicDetails } from "#contract/rules/post-details.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import { languageOf } from "../language.ts";
import type { PublicWorkspace, Release } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import type { Picture } from "./first-image.ts";
import { escapeXml } from "./xml.ts";

export interface Feed {
  workspace: PublicWorkspace;
  site: Site;
  releases: readonly Release[];
  tags: readonly Tag[];
  tag: Tag | null;
  contents: ReadonlyMap<string, string>;
  pictures: ReadonlyMap<string, Picture | null>;
}

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;
/** RSS readers expect HTML in descriptions. */
const described = (text: string): string => element("description", escapeHtml(text));
const declaration = '<?xml version="1.0" encoding="utf-8"?>\n';

function describe({ workspace, site, releases, tag }: Feed) {
  const { locale, words } = languageOf(workspace);
  return {
    locale,
    title: tag === null ? workspace.name : `${workspace.name}: ${tag.label}`,
    description: words.page.about(workspace.name, null),
    home: site.absolute("/releases", { tag: tag?.key ?? null }),
    self: (path: string) => site.absolute(path, { tag: tag?.key ?? null }),
    updated: new Date(Math.max(0, ...releases.map((release) => release.updated_at.getTime()))),
    icon: workspace.logo_url && site.file(workspace.logo_url),
  };
}

const readOn = (excerpt: string, url: string, words: string): string =>
  `${excerpt === "" ? "" : `<p>${escapeHtml(excerpt)}</p>\n`}<p><a rel="noopener" href="${escapeHtml(url)}">${escapeHtml(words)}</a></p>`;

function media(image: Picture | null): string[] {
  if (image === null) return [];
  const size = image.width && image.height ? ` width="${image.width}" height="${image.height}"` : "";
  const alt = image.alt === "" ? "" : element("media:description", image.alt);
  return [`<media:content url="${escapeXml(image.url)}" medium="image"${size}>${alt}</media:content>`];
}

/** Custom object of a JSON Feed item; absent without details. */
export function extensionOf({ details }: Pick<Release, "details">) {
  const set = Object.entries(readPublicDetails(details)).filter(([, value]) => value !== null && value !== false);
  return set.length === 0 ? {} : { _tidings: Object.fromEntries(set) };
}

const mediaSpace = 'xmlns:media="http://search.yahoo.com/mrss/"';

function describeEntry(release: Release, { workspace, site, tags, contents, pictures }: Feed) {
  const picture = pictures.get(release.id) ?? null;
  const url = site.absolute(`/releases/${release.slug}`, { via: "feed" });
  return {
    // Stable when title and URL change.
    id: `urn:uuid:${release.id}`,
    url,
    image: picture && { ...picture, url: site.file(picture.url) },
    content: contents.get(release.id),
    readOn: () => readOn(release.excerpt, url, languageOf(workspace).words.page.readWhole),
    tags: release.tags.map((key) => tagOf(key, tags).label),
  };
}

export function rss(feed: Feed): string {
  const { title, description, locale, home, self, updated } = describe(feed);
  const items = feed.releases.map((release) => {
    const { id, url, content, readOn, tags, image } = describeEntry(release, feed);
    return [
      "<item>",
      element("title", release.title),
      element("link", url),
      `<guid isPermaLink="false">${id}</guid>`,
      element("pubDate", release.published_at.toUTCString()),
      ...(release.author_name ? [element("dc:creator", release.author_name)] : []),
      ...tags.map((tag) => element("category", tag)),
      described(release.excerpt),
      ...media(image),
      `<content:encoded>${content ?? escapeXml(readOn())}</content:encoded>`,
      "</item>",
    ].join("");
  });
  return (
    `${declaration}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" ${mediaSpace}><channel>` +
    `${element("title", title)}${element("link", home)}${described(description)}<language>${locale}</language>` +
    `<atom:link href="${escapeXml(self("/releases/rss.xml"))}" rel="self" type="application/rss+xml"/>${element("lastBuildDate", updated.toUTCString())}\n${items.join("\n")}\n</channel></rss>\n`
  );
}

export function atom(feed: Feed): string {
  const { title, description, locale, home, self, updated, icon } = describe(feed);
  const entries = feed.releases.map((release) => {
    const { id, url, content, readOn, tags, image } = describeEntry(release, feed);
    return [
      "<entry>",
      element("title", release.title),
      element("id", id),
      `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`,
      element("published", release.published_at.toISOString()),
      element("updated", release.updated_at.toISOString()),
      ...(release.author_name ? [`<author>${element("name", release.author_name)}</author>`] : []),
      ...tags.map((tag) => `<category term="${escapeXml(tag)}"/>`),
      element("summary", release.excerpt),
      ...media(image),
      `<content type="html">${content ?? escapeXml(readOn())}</content>`,
      "</entry>",
    ].join("");
  });
  return (
    `${declaration}<feed xmlns="http://www.w3.org/2005/Atom" ${mediaSpace} xml:lang="${locale}">${element("title", title)}${element("subtitle", description)}` +
    `<id>urn:uuid:${feed.workspace.id}${feed.tag === null ? "" : `#${encodeURIComponent(feed.tag.key)}`}</id>` +
    `<link rel="self" type="application/atom+xml" href="${escapeXml(self("/releases/atom.xml"))}"/><link rel="alternate" type="text/html" href="${escapeXml(home)}"/>` +
    `${element("updated", updated.toISOString())}<author>${element("name", feed.workspace.name)}</author>${icon ? element("logo", icon) : ""}\n${entries.join("\n")}\n</feed>\n`
  );
}

export function jsonFeed(feed: Feed): string {
  const { title, description, locale, home, self, icon } = describe(feed);
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    description,
    home_page_url: home,
    feed_url: self("/releases.feed.json"),
    ...(icon && { icon }),
    language: locale,
    items: feed.releases.map((release) => {
      const { id, url, content, readOn, tags, image } = describeEntry(release, feed);
      return {
        id,
        url,
        title: release.title,
        content_html: content ?? readOn(),
        ...(image && { image: image.url }),
        summary: release.excerpt,
        date_published: release.published_at.toISOString(),
        date_modified: release.updated_at.toISOString(),
        ...(release.author_name && { authors: [{ name: release.author_name }] }),
        ...(tags.length > 0 && { tags }),
        ...extensionOf(release),
      };
    }),
  });
}
