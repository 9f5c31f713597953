import { FilterXSS } from "xss";
import { safeLink } from "./safe-url.ts";
import { cleanText, decodeEntities, escapeHtml } from "./text.ts";

/** The tags a text may carry. Editor.js finds its own marks again only by these classes, so they are written, whatever came in. */
const opening = new Map([
  ...["b", "i", "u", "s", "em", "strong"].map((tag) => [tag, `<${tag}>`] as const),
  ["mark", '<mark class="cdx-marker">'],
  ["code", '<code class="inline-code">'],
]);
const deepestNesting = 24;
const hrefAttribute = /[\s"'/]href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** The start of a link as it may stand, or nothing when its address may not. */
function link(html: string): string {
  const [, double, single, bare] = hrefAttribute.exec(html) ?? [];
  const href = safeLink(decodeEntities(double ?? single ?? bare ?? "").trim());
  return href === null ? "" : `<a href="${escapeHtml(href)}">`;
}

const filter = new FilterXSS({
  css: false,
  // Every tag is answered here: the package's own reading of attributes takes minutes for a hostile megabyte.
  onTag: (tag, html, { isClosing }) => {
    if (tag === "br") return "<br>";
    if (tag === "a") return isClosing ? "</a>" : link(html);
    if (opening.has(tag)) return isClosing ? `</${tag}>` : `<${tag}>`;
    // `<3` and `1 < 2` are text, not tags of somebody else.
    return /^<[/!?]?[a-z]/i.test(html) ? "" : escapeHtml(html);
  },
});

const token = /<(\/?)([a-z]+)(?: href="([^"<>]*)")?>|[<>]|&(?!(?:[a-z][a-z\d]*|#\d+|#x[\da-f]+);)/gi;

/** Writes allowed tags anew, nested and closed; every other `<`, `>` or stray `&` becomes text. */
function rebuild(html: string): string {
  const open: string[] = [];
  const close = (from: number): string =>
    open
      .splice(from)
      .reverse()
      .map((tag) => `</${tag}>`)
      .join("");
  const rebuilt = html.replace(token, (match, slash?: string, name?: string, href?: string) => {
    if (name === undefined) return escapeHtml(match);
    const tag = name.toLowerCase();
    if (tag === "br") return "<br>";
    if (slash === "/") return open.includes(tag) ? close(open.lastIndexOf(tag)) : "";
    const start = tag === "a" ? (href === undefined || open.includes("a") ? undefined : `<a href="${href}">`) : opening.get(tag);
    if (start === undefined || open.length === deepestNesting) return "";
    open.push(tag);
    return start;
  });
  return rebuilt + close(0);
}

/** Inline HTML of the allow-list b i u s em strong br mark code a[href http/https/mailto], balanced; other tags go, their text stays. */
export function cleanInline(value: unknown): string {
  const html = cleanText(value);
  return /[<>&]/.test(html) ? rebuild(filter.process(html)) : html;
}

/** What a reader sees of cleaned inline HTML, as plain text. */
export function inlineText(html: string): string {
  return decodeEntities(html.replaceAll("<br>", "\n").replace(/<[^>]*>/g, ""));
}

/** Cleaned inline HTML as published: without the editor's classes, links marked as leaving the page. */
export function publishedInline(html: string): string {
  return html
    .replaceAll(opening.get("mark")!, "<mark>")
    .replaceAll(opening.get("code")!, "<code>")
    .replaceAll("<a href=", '<a rel="noopener" href=');
}
