import { safeLink } from "./safe-url.ts";
import { cleanText, decodeEntities, escapeHtml } from "./text.ts";

/** The tags a text may carry. Editor.js finds its own marks again only by these classes, so they are written, whatever came in. */
const opening = new Map([
  ...["b", "i", "u", "s", "em", "strong", "sup", "sub"].map((tag) => [tag, `<${tag}>`] as const),
  ["mark", '<mark class="cdx-marker">'],
  ["code", '<code class="inline-code">'],
]);
/** Tags as nearly everybody writes them: their names are not worked out. */
const plainTags = new Map([...opening.keys(), "br", "a"].flatMap((name) => [`<${name}>`, `</${name}>`].map((tag) => [tag, name] as const)));
const deepestNesting = 24;
const hrefAttribute = /[\s"'/]href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
/** `<3` and `1 < 2` are text, not tags of somebody else. */
const looksLikeTag = /^<[/!?]?[a-z]/i;
const strayAmpersand = /&(?!(?:[a-z][a-z\d]*|#\d+|#x[\da-f]+);)/gi;

const lessThan = "<".charCodeAt(0);
const greaterThan = ">".charCodeAt(0);
const doubleQuote = '"'.charCodeAt(0);
const singleQuote = "'".charCodeAt(0);

/** A `<` that a comment follows is text, as it was before: what comes behind the comment makes no tag of it. */
const aloneBefore = (text: string): string => text.replace(/<([/!?]?)$/, "&lt;$1");

export function withoutComments(html: string): string {
  let start = html.indexOf("<!--");
  if (start === -1) return html;
  let kept = aloneBefore(html.slice(0, start));
  while (start !== -1) {
    const end = html.indexOf("-->", start);
    if (end === -1) return kept;
    start = html.indexOf("<!--", end + 3);
    kept += start === -1 ? html.slice(end + 3) : aloneBefore(html.slice(end + 3, start));
  }
  return kept;
}

/**
 * The first tag at or behind the `<` at `from`: where it begins and ends, or null when the rest is text. A `<` within it begins another one,
 * except in a quoted value; the end of the text ends it.
 */
function nextTag(html: string, from: number): { start: number; end: number } | null {
  let start = from;
  let quote = 0;
  for (let at = from + 1; at < html.length; at++) {
    const code = html.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === lessThan) start = at;
    else if (code === greaterThan || at === html.length - 1) return { start, end: at + 1 };
    else if ((code === doubleQuote || code === singleQuote) && followsEquals(html, at)) quote = code;
  }
  return null;
}

function followsEquals(html: string, at: number): boolean {
  let before = at - 1;
  while (html.charAt(before).trim() === "") before--; // a `<` stands before every quote that is asked for
  return html.charAt(before) === "=";
}

/** `b` of `<b>`, `</B>`, `<b/>` and `<b class="x">`. */
function nameOf(tag: string): string {
  const plain = plainTags.get(tag);
  if (plain !== undefined) return plain;
  const blank = tag.search(/\s/);
  const name = (blank === -1 ? tag.slice(1, -1) : tag.slice(1, blank)).toLowerCase();
  return name.slice(name.startsWith("/") ? 1 : 0, name.length > 1 && name.endsWith("/") ? -1 : undefined);
}

/** The start of a link as it may stand, or null when its address may not. */
function link(tag: string): string | null {
  const [, double, single, bare] = hrefAttribute.exec(tag) ?? [];
  const href = safeLink(decodeEntities(double ?? single ?? bare ?? "").trim());
  return href === null ? null : `<a href="${escapeHtml(href)}">`;
}

const escapeText = (text: string): string => text.replace(strayAmpersand, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** Writes allowed tags anew, nested and closed; other tags go, and every other `<`, `>` or stray `&` becomes text. One pass, in runs of text. */
function rebuild(html: string): string {
  const open: string[] = [];
  let written = "";
  let text = ""; // what stands around a tag that goes belongs together
  let from = 0;
  const endText = (): void => {
    written += escapeText(text);
    text = "";
  };
  const closeFrom = (first: number): void => {
    while (open.length > first) written += `</${open.pop()}>`;
  };
  const openTag = (name: string, start: string | undefined): void => {
    if (start === undefined || open.length === deepestNesting) return;
    written += start;
    open.push(name);
  };
  const read = (tag: string): void => {
    const name = nameOf(tag);
    const closes = tag.startsWith("</");
    const start = name === "a" && !closes ? link(tag) : undefined;
    if (start === null) return;
    if (name === "br" || name === "a" || opening.has(name)) {
      endText();
      if (name === "br") written += "<br>";
      else if (closes) closeFrom(open.includes(name) ? open.lastIndexOf(name) : open.length);
      else if (name === "a") openTag(name, open.includes("a") ? undefined : start);
      else openTag(name, opening.get(name));
    } else if (!looksLikeTag.test(tag)) text += tag;
  };
  for (let next = html.indexOf("<"); next !== -1; next = html.indexOf("<", from)) {
    const found = nextTag(html, next);
    if (found === null) break;
    text += html.slice(from, found.start);
    from = found.end;
    read(html.slice(found.start, found.end));
  }
  text += html.slice(from);
  endText();
  closeFrom(0);
  return written;
}

/** Inline HTML of the allow-list b i u s em strong sup sub br mark code a[href http/https/mailto], balanced; other tags go, their text stays. */
export function cleanInline(value: unknown): string {
  const html = cleanText(value);
  return /[<>&]/.test(html) ? rebuild(withoutComments(html)) : html;
}

/** What a reader sees of cleaned inline HTML, as plain text. */
export function inlineText(html: string): string {
  if (!html.includes("<")) return decodeEntities(html);
  return decodeEntities(html.replace(/<br>/g, "\n").replace(/<[^>]*>/g, ""));
}

const asPublished: [RegExp, string][] = [
  [/<mark class="cdx-marker">/g, "<mark>"],
  [/<code class="inline-code">/g, "<code>"],
  [/<a href=/g, '<a rel="noopener" href='],
];

/** Cleaned inline HTML as published: without the editor's classes, links marked as leaving the page. */
export function publishedInline(html: string): string {
  if (!html.includes("<")) return html;
  return asPublished.reduce((text, [mark, published]) => text.replace(mark, published), html);
}
