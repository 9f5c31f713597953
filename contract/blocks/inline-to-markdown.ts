import { lineOf } from "../rules/line-of.ts";
import { decodeEntities } from "./text.ts";

const marks: Record<string, string> = { b: "**", strong: "**", i: "*", em: "*", s: "~~", u: "", mark: "" };

/** A tag or a text of cleaned inline HTML. */
export const inlineToken = /<br>|<(\/?)([a-z]+)(?: class="[^"]*")?(?: href="([^"]*)")?>|[^<]+/g;

/** A sign between spaces, or an underscore inside a word, can't open or close a mark. */
function escapeRun(run: string, before: string, after: string): string {
  const isPlain = /^\s\s$/.test(before + after) || (run.startsWith("_") && /^[\p{L}\p{N}]{2}$/u.test(before + after));
  return isPlain ? run : run.replace(/./g, "\\$&");
}

/** Escapes what Markdown would read as syntax inside a line; `|` matters in table cells only. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/([*_~])\1*|[`[\]]|\\(?=[!-/:-@[-`{-~\n]|$)|<(?=[a-z/!?]|$)|&(?=#?\w+;)/gi, (match, sign: string | undefined, at: number) =>
    sign === undefined ? `\\${match}` : escapeRun(match, text[at - 1] ?? "", text[at + match.length] ?? ""),
  );

/** Escapes headings, lists, quotes, rules and table borders at the start of an escaped line. */
export const escapeLineStart = (line: string): string =>
  line.replace(/^(\s*)(#{1,6}(?!\S)|[-+*_](?!\S)|[>~]|[-+=:|](?=[-+=:| \t]*$))/, "$1\\$2").replace(/^(\s*\d{1,9})(?=[.)](?!\S))/, "$1\\");

/** Plain text in a heading, a link's text or after other words. */
export const markdownLine = (text: string): string => escapeMarkdown(lineOf(text));

/** Plain text as a paragraph. */
export const markdownParagraph = (text: string): string => escapeLineStart(markdownLine(text));

export function markdownAddress(url: string, title = ""): string {
  const address = url
    .replaceAll("<", "%3C")
    .replaceAll(">", "%3E")
    .replace(/\\|&(?=#?\w+;)/g, "\\$&");
  const target = /^[^\s()\p{Cc}]+$/u.test(address) ? address : `<${address}>`;
  return title === "" ? `(${target})` : `(${target} "${title.replace(/[\\"]|&(?=#?\w+;)/g, "\\$&")}")`;
}

/** Markdown as a block quote. */
export const quoted = (markdown: string): string =>
  markdown
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");

interface InlineOptions {
  /** In a heading or table cell no line can start a block. */
  block?: boolean;
}

/** Cleaned inline HTML as Markdown; super- and subscript as tags. Underline and highlight lose their marks. */
export function inlineToMarkdown(html: string, { block = true }: InlineOptions = {}): string {
  const links: string[] = [];
  let inCode = 0;
  let isLineStart = block;
  const markdownOf = (match: string, at: number, slash?: string, tag?: string, href?: string): string => {
    if (match === "<br>") return "\\\n";
    if (tag === undefined) {
      const text = decodeEntities(match);
      if (inCode > 0) return text.replaceAll("`", "'");
      const escaped = escapeMarkdown(text.replace(/[ \t\n\r]+/g, " "));
      const line = isLineStart ? escapeLineStart(escaped) : escaped;
      return line.endsWith("!") && html.startsWith("<a ", at + match.length) ? `${line.slice(0, -1)}\\!` : line;
    }
    if (tag === "code") return (slash === "/" ? --inCode : inCode++) === 0 ? "`" : "";
    if (tag === "a" && slash !== "/") links.push(decodeEntities(href ?? ""));
    if (tag === "a") return slash === "/" ? `]${markdownAddress(links.pop() ?? "")}` : "[";
    if (inCode > 0) return "";
    return tag === "sup" || tag === "sub" ? `<${slash}${tag}>` : (marks[tag] ?? "");
  };
  return html.replace(inlineToken, (match, slash, tag, href, at: number) => {
    const markdown = markdownOf(match, at, slash, tag, href);
    if (markdown.trim() !== "") isLineStart = block && match === "<br>";
    return markdown;
  });
}
