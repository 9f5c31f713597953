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

/** What marks do not reach into: code, the addresses of links (with one pair of parentheses at most), addresses in the text. */
const code = /`+[^`\n]+`+/;
const target = /(?<=\]\()(?:https?:|mailto:)(?:[^\s()]|\([^\s()]*\))+(?=\))/;
const bare = /https?:\/\/[^\s<>()[\]*]*[^\s<>()[\]*_=]/;
const kept = new RegExp(`${code.source}|${target.source}|${bare.source}`, "g");
const placed = /\u0000(\d+)\u0000/g;
const link = /\[([^\]\n]+)\]\(\u0000(\d+)\u0000\)/g;

/** One line of Markdown as the inline HTML that blocks hold: code, links, addresses, bold, italic, struck, highlight; everything else as text. */
export function markdownInline(line: string): string {
  const parts: string[] = [];
  const bones = line.replaceAll("\u0000", "").replace(kept, (part) => `\u0000${parts.push(part) - 1}\u0000`);
  const part = (index: string) => parts[Number(index)] ?? "";
  const html = marks
    .reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), escapeHtml(bones))
    .replace(
      link,
      (_, words: string, index: string) =>
        `<a href="${escapeHtml(part(index))}">${words.replace(placed, (__, inner: string) => keptHtml(part(inner), false))}</a>`,
    )
    .replace(placed, (_, index: string) => keptHtml(part(index), true));
  return cleanInline(html);
}

function keptHtml(part: string, links: boolean): string {
  if (part.startsWith("`")) return `<code>${escapeHtml(part.replace(/^`+ ?| ?`+$/g, ""))}</code>`;
  return links ? linkedHtml(part) : escapeHtml(part); // no link in a link
}
