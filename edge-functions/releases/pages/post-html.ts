import { decodeEntities, escapeHtml } from "#contract/blocks/text.ts";
import type { Words } from "#contract/i18n/index.ts";

/** Post-processes our own HTML (contract/blocks), so regular expressions are safe. */
export interface Placed {
  words: Words["page"];
  address: string;
  within?: string | undefined;
  title?: string | undefined;
  atOnce: boolean;
}

export function pageHtml(html: string, { words, address, within, title, atOnce }: Placed): string {
  const headed = withNamedTables(withHeadings(html, words, address, within), title);
  const linked = withLargeImages(headed, words);
  return atOnce ? firstImageAtOnce(linked) : linked;
}

const heading = /<h([2-4])>(.*?)<\/h\1>/gs;
const longestAnchor = 60;

const taken = ["content", "subscribe", "subscribe-email", "months"];

export function anchorOf(words: string): string {
  const hyphened = words
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  return [...hyphened.replace(/^-/, "")].slice(0, longestAnchor).join("").replace(/-$/, "") || "section";
}

/** Accessible heading levels without gaps; a class keeps the author's size. Each has an id from its text and a link to itself. */
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

/** Regions need unique names: "Table 2", with the post's title in lists. */
function withNamedTables(html: string, title: string | undefined): string {
  let tables = 0;
  const of = title === undefined ? "" : `: ${escapeHtml(title)}`;
  return html.replace(/(<div class="table" role="region" aria-label="[^"]*)"/g, (_, opening: string) => {
    tables += 1;
    return `${opening}${tables > 1 ? ` ${tables}` : ""}${of}"`;
  });
}

const withLargeImages = (html: string, words: Words["page"]): string =>
  html.replace(
    /(<figure class="image[^"]*">)(<img src="([^"]*)" alt="([^"]*)"[^>]*>)/g,
    (_, figure: string, image: string, url: string, alt: string) => {
      const label = escapeHtml(words.openImage);
      return `${figure}<a class="large" href="${url}" ${alt === "" ? "aria-label" : "title"}="${label}">${image}</a>`;
    },
  );

const firstImageAtOnce = (html: string): string => html.replace(/(<img [^>]*?) loading="lazy"/, '$1 fetchpriority="high"');
