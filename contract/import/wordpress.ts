import type { EntryStatus } from "./entry.ts";
import { pagesNote } from "./left-out.ts";
import { stateNotes, statusNamed } from "./states.ts";

/** What an item of WordPress' own export (WXR) says beyond RSS. */
export interface WordPressFacts {
  type: string;
  status: string;
  hasPassword: boolean;
  excerpt: string | undefined;
}

export const isWordPressExport = (xml: string): boolean =>
  /xmlns:wp\s*=\s*["']https?:\/\/wordpress\.org\/export\//i.test(xml.slice(0, 20_000));

const element = /<!\[CDATA\[[^]*?(?:\]\]>|$)|<(\/?)(wp:(?:post_type|status|post_password)|excerpt:encoded)>/g;

/** The XML with these elements as categories, each of a domain of its own: feed parsers know no others. */
export const withFactsAsCategories = (xml: string): string =>
  xml.replace(element, (whole, close: string | undefined, name: string | undefined) =>
    name === undefined ? whole : close === "/" ? "</category>" : `<category domain="${name}">`,
  );

interface Category {
  name?: string;
  domain?: string;
}
const isFact = ({ domain }: Category): boolean => /^(?:wp|excerpt):/.test(domain ?? "");

/** What categories say of a post, and those that are ones. */
export function factsOf(categories: readonly Category[]): { facts: WordPressFacts; categories: Category[] } {
  const said = (domain: string): string => categories.find((one) => one.domain === domain)?.name?.trim() ?? "";
  const facts = {
    type: said("wp:post_type"),
    status: said("wp:status"),
    hasPassword: said("wp:post_password") !== "",
    excerpt: said("excerpt:encoded") || undefined,
  };
  return { facts, categories: categories.filter((one) => !isFact(one)) };
}

/** The state of a post, and why it is not what readers would think. */
export function stateOf({ status, hasPassword }: WordPressFacts): { status: EntryStatus; notes: string[] } {
  if (hasPassword) return { status: "draft", notes: ["Only readers with a password saw it there, so it comes as a draft"] };
  if (status === "future") return { status: "scheduled", notes: [] };
  return { status: statusNamed(status) ?? "draft", notes: stateNotes(status) };
}

/** That what is no post is left out, by what it is. */
export function leftOut(types: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  const pages = counts.get("page") ?? 0;
  counts.delete("page");
  const others = [...counts].slice(0, 8).map(([type, count]) => (count === 1 ? type.slice(0, 40) : `${count} × ${type.slice(0, 40)}`));
  return [...pagesNote(pages), ...(others.length === 0 ? [] : [`Left out, for they are no posts: ${others.join(", ")}`])];
}

const flow = /^<\/?(?:p|div|h[1-6]|ul|ol|li|table|tr|td|th|tbody|thead|blockquote|figure|pre|hr|section|iframe|form)\b/i;

/** What the classic editor keeps without tags: an empty line ends a paragraph. The block editor writes them. */
function withParagraphs(html: string): string {
  if (/<p[\s>]|<!-- wp:/i.test(html)) return html;
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
const list = /(?<!\[)\[(?:gallery|playlist)(?:\s[^\]]{0,2000})?\]/g;

/** A post's text as HTML, with WordPress' own shortcodes too. Those of plugins stay as they are written. */
export function htmlOf(text: string): { html: string; notes: string[] } {
  let lists = 0;
  const written = withParagraphs(text)
    .replace(caption, (_, _name, attributes: string, inner: string) => {
      const [, image, words = ""] = picture.exec(inner) ?? [];
      const said = words.trim() || (/\bcaption\s*=\s*"([^"]*)"/.exec(attributes)?.[1] ?? "");
      return image === undefined ? inner : `<figure>${image}<figcaption>${said.trim()}</figcaption></figure>`;
    })
    .replace(player, (whole, name: string, attributes: string) => {
      const address = /=\s*["']?(https?:\/\/[^\s"']+)/.exec(attributes)?.[1];
      return address === undefined ? whole : `<${name} src="${address}"></${name}>`;
    })
    .replace(embed, (_, address: string) => `<p>${address.trim()}</p>`)
    .replace(list, () => (lists++, ""));
  if (lists === 0) return { html: written, notes: [] };
  return {
    html: written,
    notes: [`${lists === 1 ? "A gallery is" : `${lists} galleries are`} left out: the export does not say which pictures are in it`],
  };
}
