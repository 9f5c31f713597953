import { decodeEntities, escapeHtml } from "#contract/blocks/text.ts";
import { momentOf } from "../dates.ts";
import type { EntryStatus } from "../entry.ts";
import { countLeftOut, pagesNote } from "../left-out.ts";
import { stateNotes, statusNamed } from "../states.ts";

export interface WordPressFacts {
  id: string;
  type: string;
  status: string;
  hasPassword: boolean;
  excerpt: string | undefined;
  slug: string | undefined;
  date: string | undefined;
  parent: string;
  order: number;
  file: string | undefined;
  alt: string;
  thumbnail: string | undefined;
}

export interface Attachment extends Pick<WordPressFacts, "id" | "parent" | "order" | "alt"> {
  url: string;
  caption: string;
}

export const isWordPressExport = (xml: string): boolean =>
  /xmlns:wp\s*=\s*["']https?:\/\/wordpress\.org\/export\//i.test(xml.slice(0, 20_000));

const element =
  /<!\[CDATA\[[^]*?(?:\]\]>|$)|<(\/?)(wp:(?:post_(?:id|type|name|date|date_gmt|parent|password)|status|menu_order|attachment_url|postmeta|meta_key|meta_value)|excerpt:encoded)>/g;

/** Rewrites these elements to categories with their own domain, because feed parsers drop unknown elements. */
export const withFactsAsCategories = (xml: string): string =>
  xml.replace(element, (whole, close: string | undefined, name: string | undefined) => {
    if (name === undefined) return whole;
    if (name === "wp:postmeta") return ""; // its key and value are handled separately
    return close === "/" ? "</category>" : `<category domain="${name}">`;
  });

interface Category {
  name?: string;
  domain?: string;
}
const isFact = ({ domain }: Category): boolean => /^(?:wp|excerpt):/.test(domain ?? "");

const wordsOf = (html: string): string =>
  decodeEntities(html.replace(/<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^<>]*>/gi, " ").replace(/<\/?[a-z][^<>]*>|<!--.*?-->/gis, ""))
    .replace(/\s+/g, " ")
    .trim();

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export function factsOf(categories: readonly Category[]): { facts: WordPressFacts; categories: Category[] } {
  const factOf = (domain: string): string => categories.find((one) => one.domain === domain)?.name?.trim() ?? "";
  /** A value directly follows its key; empty values are missing. */
  const meta = (key: string): string | undefined => {
    const at = categories.findIndex(({ domain, name }) => domain === "wp:meta_key" && name?.trim() === key);
    const value = at === -1 ? undefined : categories[at + 1];
    return value?.domain === "wp:meta_value" ? value.name?.trim() : undefined;
  };
  const thumbnail = meta("_thumbnail_id");
  const facts = {
    id: factOf("wp:post_id"),
    type: factOf("wp:post_type"),
    status: factOf("wp:status"),
    hasPassword: factOf("wp:post_password") !== "",
    excerpt: wordsOf(factOf("excerpt:encoded")) || undefined,
    slug: decoded(factOf("wp:post_name")) || undefined,
    date: [factOf("wp:post_date_gmt"), factOf("wp:post_date")].find((date) => momentOf(date) !== null),
    parent: factOf("wp:post_parent"),
    order: Number.parseInt(factOf("wp:menu_order"), 10) || 0,
    file: factOf("wp:attachment_url") || undefined,
    alt: meta("_wp_attachment_image_alt") ?? "",
    thumbnail: Number(thumbnail) > 0 ? thumbnail : undefined, // 0 and -1 mean none
  };
  return { facts, categories: categories.filter((one) => !isFact(one)) };
}

export function stateOf({ status, hasPassword }: WordPressFacts): { status: EntryStatus; notes: string[] } {
  if (hasPassword) return { status: "draft", notes: ["Only readers with a password could see it, so it's imported as a draft"] };
  if (status === "future") return { status: "scheduled", notes: [] };
  return { status: statusNamed(status) ?? "draft", notes: stateNotes(status) };
}

/** Notes and counts of skipped items. Media files aren't in `types`; `unused` counts them. */
export function leftOut(types: readonly string[], unused: number): { notes: string[]; counts: string[] } {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  const pages = counts.get("page") ?? 0;
  counts.delete("page");
  const others = [...counts].slice(0, 8).map(([type, count]) => (count === 1 ? type.slice(0, 40) : `${count} × ${type.slice(0, 40)}`));
  const libraryFiles = countLeftOut(unused, "file of the library", "files of the library");
  return {
    notes: [
      ...pagesNote(pages),
      ...(others.length === 0 ? [] : [`Skipped, because they aren't posts: ${others.join(", ")}`]),
      ...libraryFiles.map((count) => `${count} ${unused === 1 ? "was skipped: no post uses it" : "were skipped: no post uses them"}`),
    ],
    counts: [...countLeftOut(pages, "page"), ...countLeftOut(types.length - pages, "other item"), ...libraryFiles],
  };
}

/** Removes the size from a file's URL: `a-300x200.png`. */
const fullSize = (url: string): string =>
  url
    .replace(/[?#].*$/, "")
    .replace(/-\d{1,5}x\d{1,5}(?=\.\w{2,5}$)/, "")
    .replace(/^https?:/i, "");

export function countUnused(files: readonly Attachment[], texts: Iterable<string>): number {
  const shown = new Set<string>();
  for (const text of texts) for (const [, url = ""] of text.matchAll(/["'\s=](https?:\/\/[^\s"'<>]{1,2000})/gi)) shown.add(fullSize(url));
  return files.filter(({ url }) => !shown.has(fullSize(url))).length;
}

const flow = /^<\/?(?:p|div|h[1-6]|ul|ol|li|table|tr|td|th|tbody|thead|blockquote|figure|pre|hr|section|iframe|form)\b/i;

/** wpautop: the classic editor stores paragraphs as empty lines. */
function withParagraphs(html: string): string {
  if (/<!-- wp:/i.test(html)) return html;
  const paragraphs = (text: string): string =>
    text
      .split(/\n[ \t]*\n/)
      .map((part) => part.trim())
      .map((part) => (part === "" || flow.test(part) ? part : `<p>${part.replace(/(?<!>)\n(?!<)/g, "<br>")}</p>`))
      .join("\n");
  return html
    .split(/(<pre\b[^]*?(?:<\/pre>|$))/i)
    .map((part, at) => (at % 2 === 1 ? part : paragraphs(part)))
    .join("");
}

const caption = /(?<!\[)\[((?:wp_)?caption)\b([^\]]{0,1000})\]([^]{0,10000}?)\[\/\1\]/g;
const picture = /^\s*((?:<a\b[^>]{0,2000}>\s*)?<img\b[^>]{0,4000}>(?:\s*<\/a>)?)([^]*)$/;
const player = /(?<!\[)\[(audio|video)\b([^\]]{0,2000})\](?:[^[\]]{0,2000}\[\/\1\])?/g;
const embed = /(?<!\[)\[embed\b[^\]]{0,1000}\]([^[\]]{0,2000})\[\/embed\]/g;
const playlist = /(?<!\[)\[playlist(?:\s[^\]]{0,2000})?\]/g;
const gallery = /(?<!\[)\[gallery(\s[^\]]{0,2000})?\]/g;
const isImage = (url: string): boolean => /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|heic)(?:$|[?#])/i.test(url);

export type Library = ReadonlyMap<string, Attachment>;

/** Explicit ids, else the images uploaded to the post; `missing` counts those not in the export. */
function picturesOf(attributes: string, post: string, library: Library): { pictures: Attachment[]; missing: number } {
  const ids = (name: string): string[] | undefined =>
    new RegExp(`\\s${name}\\s*=\\s*["'“”]?([\\d,\\s]+)`)
      .exec(attributes)?.[1]
      ?.split(/[,\s]+/)
      .filter(Boolean);
  const idList = ids("ids") ?? ids("include");
  if (idList !== undefined) {
    const pictures = idList.flatMap((id) => library.get(id) ?? []);
    return { pictures, missing: idList.length - pictures.length };
  }
  const [of = post] = ids("id") ?? [];
  const without = new Set(ids("exclude"));
  const pictures = [...library.values()]
    .filter(({ id, parent, url }) => parent === of && of !== "" && !without.has(id) && isImage(url))
    .sort((one, other) => one.order - other.order || Number(one.id) - Number(other.id));
  return { pictures, missing: 0 };
}

const figureOf = ({ url, alt, caption }: Attachment): string =>
  `<figure><img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}"><figcaption>${caption}</figcaption></figure>`;

/** Renders WordPress' own shortcodes; plugins' stay as text. */
export function htmlOf(text: string, post: string, library: Library): { html: string; notes: string[] } {
  let playlists = 0;
  let emptyGalleries = 0;
  let missingPictures = 0;
  const written = withParagraphs(text)
    .replace(caption, (_, _name, attributes: string, inner: string) => {
      const [, image, words = ""] = picture.exec(inner) ?? [];
      const captionText = words.trim() || (/\bcaption\s*=\s*"([^"]*)"/.exec(attributes)?.[1] ?? "");
      return image === undefined ? inner : `<figure>${image}<figcaption>${captionText.trim()}</figcaption></figure>`;
    })
    .replace(player, (whole, name: string, attributes: string) => {
      const address = /=\s*["']?(https?:\/\/[^\s"']+)/.exec(attributes)?.[1];
      return address === undefined ? whole : `<${name} src="${address}"></${name}>`;
    })
    .replace(embed, (_, address: string) => `<p>${address.trim()}</p>`)
    .replace(playlist, () => (playlists++, ""))
    .replace(gallery, (_, attributes: string = "") => {
      const { pictures, missing } = picturesOf(attributes, post, library);
      if (pictures.length === 0) emptyGalleries++;
      else missingPictures += missing;
      return pictures.map(figureOf).join("\n");
    });
  const notes: string[] = [];
  if (playlists > 0) notes.push(`${playlists === 1 ? "A playlist was" : `${playlists} playlists were`} skipped`);
  if (emptyGalleries > 0) {
    const which = emptyGalleries === 1 ? "A gallery was skipped: its" : `${emptyGalleries} galleries were skipped: their`;
    notes.push(`${which} images aren't in the export`);
  }
  if (missingPictures > 0)
    notes.push(
      `${missingPictures === 1 ? "An image of its galleries isn't" : `${missingPictures} images of its galleries aren't`} in the export`,
    );
  return { html: written, notes };
}
