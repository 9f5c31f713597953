import { decodeEntities, escapeHtml } from "#contract/blocks/text.ts";
import type { Words } from "#contract/i18n/index.ts";

/** What a page makes of a post's HTML, which is always what contract/blocks makes: a tag there is a tag, and text is escaped. */
export interface Placed {
  words: Words["page"];
  /** Where the post has its page; "" on that page itself. */
  address: string;
  /** In a list, where each post's ids begin with its name, and its headings stand below a title that is a second level already. */
  within?: string | undefined;
  /** In a list, where the names of its tables end with it. */
  title?: string | undefined;
  /** Its first image is most likely what a reader sees first: it is not waited for. */
  atOnce: boolean;
}

export function pageHtml(html: string, { words, address, within, title, atOnce }: Placed): string {
  const headed = withNamedTables(withHeadings(html, words, address, within), title);
  const linked = withLargeImages(headed, words);
  return atOnce ? firstImageAtOnce(linked) : linked;
}

const heading = /<h([2-4])>(.*?)<\/h\1>/gs;
const longestAnchor = 60;

/** Ids that the page itself has. */
const taken = ["content", "subscribe", "subscribe-email", "months"];

/** A heading's words as a part of an address, in letters of any script. */
export function anchorOf(words: string): string {
  const hyphened = words
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  return [...hyphened.replace(/^-/, "")].slice(0, longestAnchor).join("").replace(/-$/, "") || "section";
}

/**
 * Headings keep the size their author chose and get the level that a reader by ear expects: none is left out on the way down from the
 * title. Elements skip no level either, as HTML asks; a class keeps the size then. Each has an id that follows from its words, and a link to itself.
 */
function withHeadings(html: string, words: Words["page"], address: string, within: string | undefined): string {
  const used = [...new Set([...html.matchAll(heading)].map(([, level]) => Number(level)))].sort();
  const above = within === undefined ? 1 : 2;
  const seen = new Map(taken.map((id) => [id, 1]));
  let last = above;
  let element = above;
  return html.replace(heading, (_, written: string, inside: string) => {
    last = Math.min(used.indexOf(Number(written)) + 1 + above, last + 1);
    const text = decodeEntities(inside.replace(/<[^>]*>/g, "")).trim();
    const anchor = unique(anchorOf(text), seen);
    const id = within === undefined ? anchor : `${within}.${anchor}`;
    element = Math.min(Number(written), element + 1);
    const size = element === Number(written) ? "" : ` class="h${written}"`;
    const level = element === last ? "" : ` aria-level="${last}"`;
    const link = `<a class="anchor" href="${escapeHtml(address)}#${encodeURIComponent(anchor)}" aria-label="${escapeHtml(words.linkTo(text))}"></a>`;
    return `<h${element} id="${id}"${size}${level}>${inside}${text === "" ? "" : link}</h${element}>`;
  });
}

function unique(anchor: string, seen: Map<string, number>): string {
  for (;;) {
    const times = (seen.get(anchor) ?? 0) + 1;
    seen.set(anchor, times);
    if (times === 1) return anchor;
    anchor = `${anchor}-${times}`;
  }
}

/** Regions of a page need names that differ: a post's second table is "Table 2", and in a list each name ends with the post's title. */
function withNamedTables(html: string, title: string | undefined): string {
  let tables = 0;
  const of = title === undefined ? "" : `: ${escapeHtml(title)}`;
  return html.replace(/(<div class="table" role="region" aria-label="[^"]*)"/g, (_, named: string) => {
    tables += 1;
    return `${named}${tables > 1 ? ` ${tables}` : ""}${of}"`;
  });
}

/** An image leads to itself, as large as it is. */
const withLargeImages = (html: string, words: Words["page"]): string =>
  html.replace(
    /(<figure class="image[^"]*">)(<img src="([^"]*)" alt="([^"]*)"[^>]*>)/g,
    (_, figure: string, image: string, url: string, alt: string) => {
      const said = escapeHtml(words.openImage);
      return `${figure}<a class="large" href="${url}" ${alt === "" ? "aria-label" : "title"}="${said}">${image}</a>`;
    },
  );

const firstImageAtOnce = (html: string): string => html.replace(/(<img [^>]*?) loading="lazy"/, '$1 fetchpriority="high"');
