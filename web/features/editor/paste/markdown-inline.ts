import { linkedHtml } from "../addresses.ts";
import { cleanInline } from "#contract/blocks/inline-html.ts";
import { escapeHtml } from "#contract/blocks/text.ts";

const marks: readonly (readonly [pattern: RegExp, html: string])[] = [
  [/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, "<b>$2</b>"],
  [/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, "<i>$1</i>"],
  [/(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])/g, "<i>$1</i>"],
  [/~~(?=\S)(.+?)(?<=\S)~~/g, "<s>$1</s>"],
  [/==(?=\S)(.+?)(?<=\S)==/g, "<mark>$1</mark>"],
];

/** Parts without marks inside: code, link URLs (with up to one pair of parentheses) and bare URLs. */
const code = /`+[^`\n]+`+/;
const target = /(?<=\]\()(?:https?:|mailto:)(?:[^\s()]|\([^\s()]*\))+(?=\))/;
const bare = /https?:\/\/[^\s<>()[\]*]*[^\s<>()[\]*_=]/;
const literal = new RegExp(`${code.source}|${target.source}|${bare.source}`, "g");
const placed = /\u0000(\d+)\u0000/g;
const link = /\[([^\]\n]+)\]\(\u0000(\d+)\u0000\)/g;

/** One line of Markdown as inline HTML: code, links, bold, italic, strikethrough, highlight. Everything else is text. */
export function markdownInline(line: string): string {
  const parts: string[] = [];
  const template = line.replaceAll("\u0000", "").replace(literal, (part) => `\u0000${parts.push(part) - 1}\u0000`);
  const part = (index: string) => parts[Number(index)] ?? "";
  const html = marks
    .reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), escapeHtml(template))
    .replace(
      link,
      (_, words: string, index: string) =>
        `<a href="${escapeHtml(part(index))}">${words.replace(placed, (__, inner: string) => literalHtml(part(inner), false))}</a>`,
    )
    .replace(placed, (_, index: string) => literalHtml(part(index), true));
  return cleanInline(html);
}

function literalHtml(part: string, links: boolean): string {
  if (part.startsWith("`")) return `<code>${escapeHtml(part.replace(/^`+ ?| ?`+$/g, ""))}</code>`;
  return links ? linkedHtml(part) : escapeHtml(part);
}
