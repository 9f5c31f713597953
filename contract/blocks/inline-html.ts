import { safeLink } from "./safe-url.ts";
import { cleanText, decodeEntities, escapeHtml } from "./text.ts";

/** Editor.js recognises its marks by these classes. */
const opening = new Map([
  ...["b", "i", "u", "s", "em", "strong", "sup", "sub"].map((tag) => [tag, `<${tag}>`] as const),
  ["mark", '<mark class="cdx-marker">'],
  ["code", '<code class="inline-code">'],
]);
const plainTags = new Map([...opening.keys(), "br", "a"].flatMap((name) => [`<${name}>`, `</${name}>`].map((tag) => [tag, name] as const)));
const deepestNesting = 24;
const hrefAttribute = /[\s"'/]href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
/** `<3` and `1 < 2` are text. */
const looksLikeTag = /^<[/!?]?[a-z]/i;
const strayAmpersand = /&(?!(?:[a-z][a-z\d]*|#\d+|#x[\da-f]+);)/gi;

const lessThan = "<".charCodeAt(0);
const greaterThan = ">".charCodeAt(0);
const doubleQuote = '"'.charCodeAt(0);
const singleQuote = "'".charCodeAt(0);

/** A `<` before a removed comment stays text, so the text behind it can't complete a tag. */
const aloneBefore = (text: string): string => text.replace(/<([/!?]?)$/, "&lt;$1");

export function withoutComments(html: string): string {
  let start = html.indexOf("<!--");
  if (start === -1) return html;
  let output = aloneBefore(html.slice(0, start));
  while (start !== -1) {
    const end = html.indexOf("-->", start);
    if (end === -1) return output;
    start = html.indexOf("<!--", end + 3);
    output += start === -1 ? html.slice(end + 3) : aloneBefore(html.slice(end + 3, start));
  }
  return output;
}

/** Bounds of the first tag at or after `from`; null if none. A `<` starts a new tag except in a quoted value; the text's end ends it. */
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
  while (html.charAt(before).trim() === "") before--; // a `<` precedes every quote that is looked up
  return html.charAt(before) === "=";
}

function nameOf(tag: string): string {
  const plain = plainTags.get(tag);
  if (plain !== undefined) return plain;
  const blank = tag.search(/\s/);
  const name = (blank === -1 ? tag.slice(1, -1) : tag.slice(1, blank)).toLowerCase();
  return name.slice(name.startsWith("/") ? 1 : 0, name.length > 1 && name.endsWith("/") ? -1 : undefined);
}

function link(tag: string): string | null {
  const [, double, single, bare] = hrefAttribute.exec(tag) ?? [];
  const href = safeLink(decodeEntities(double ?? single ?? bare ?? "").trim());
  return href === null ? null : `<a href="${escapeHtml(href)}">`;
}

const escapeText = (text: string): string => text.replace(strayAmpersand, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** Rewrites allowed tags nested and closed; other tags go, and stray `<`, `>` and `&` become text. Single pass. */
function rebuild(html: string): string {
  const open: string[] = [];
  let written = "";
  let text = ""; // text around a removed tag is joined
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
    const bounds = nextTag(html, next);
    if (bounds === null) break;
    text += html.slice(from, bounds.start);
    from = bounds.end;
    read(html.slice(bounds.start, bounds.end));
  }
  text += html.slice(from);
  endText();
  closeFrom(0);
  return written;
}

/** Allow-list: b i u s em strong sup sub br mark code a[href http/https/mailto], balanced. Other tags go, their text stays. */
export function cleanInline(value: unknown): string {
  const html = cleanText(value);
  return /[<>&]/.test(html) ? rebuild(withoutComments(html)) : html;
}

export function inlineText(html: string): string {
  if (!html.includes("<")) return decodeEntities(html);
  return decodeEntities(html.replace(/<br>/g, "\n").replace(/<[^>]*>/g, ""));
}

const asPublished: [RegExp, string][] = [
  [/<mark class="cdx-marker">/g, "<mark>"],
  [/<code class="inline-code">/g, "<code>"],
  [/<a href=/g, '<a rel="noopener" href='],
];

export function publishedInline(html: string): string {
  if (!html.includes("<")) return html;
  return asPublished.reduce((text, [mark, published]) => text.replace(mark, published), html);
}
