import { cleanInline } from "#contract/blocks/inline-html.ts";
import { escapeHtml } from "#contract/blocks/text.ts";

const marks: readonly (readonly [pattern: RegExp, html: string])[] = [
  [/\[([^\]\n]+)\]\((https?:[^\s)]+|mailto:[^\s)]+)\)/g, '<a href="$2">$1</a>'],
  [/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, "<b>$2</b>"],
  [/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, "<i>$1</i>"],
  [/(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])/g, "<i>$1</i>"],
  [/==(?=\S)(.+?)(?<=\S)==/g, "<mark>$1</mark>"],
];

/** One line of Markdown as the inline HTML that blocks hold: code, links, bold, italic, highlight; everything else as text. */
export function markdownInline(line: string): string {
  const html = line
    .split(/(`+[^`\n]+`+)/)
    .map((part) => (/^`.+`$/.test(part) ? `<code>${escapeHtml(part.replace(/^`+ ?| ?`+$/g, ""))}</code>` : withMarks(escapeHtml(part))))
    .join("");
  return cleanInline(html);
}

const withMarks = (html: string): string => marks.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), html);
