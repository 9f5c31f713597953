import { cleanInline } from "#contract/blocks/inline-html.ts";
import { safeLink } from "#contract/blocks/safe-url.ts";
import { escapeHtml } from "#contract/blocks/text.ts";

const email = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;

/** The link of a typed URL or email address (https://…, mailto:…, www.…, name@host); null for other text. */
export function linkOf(words: string): string | null {
  if (/^https?:\/\/[^\s<>"]+$/i.test(words) || /^mailto:\S+$/i.test(words)) return safeLink(words);
  if (/^www\.[\w-]+\.[^\s<>"]+$/i.test(words)) return safeLink(`https://${words}`);
  return email.test(words) ? safeLink(`mailto:${words}`) : null;
}

/** The link of a link field's value, where "example.com" is enough; null if it isn't valid. */
export function linkFromField(entry: string): string | null {
  const words = entry.trim();
  if (words === "" || /\s/.test(words)) return null;
  const link = linkOf(words);
  if (link !== null) return link;
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?#:]\S*)?$/.test(words) ? safeLink(`https://${words}`) : null;
}

/** The URL at the end of a line being typed, without trailing punctuation, and its start index. */
export function linkBefore(line: string): { from: number; words: string; href: string } | null {
  const [word = ""] = /\S+$/.exec(line.slice(-2_100)) ?? [];
  const opened = /^[("'“‘[]*/.exec(word)?.[0].length ?? 0;
  const words = withoutEnd(word.slice(opened));
  const href = linkOf(words);
  return href === null ? null : { from: line.length - word.length + opened, words, href };
}

/** A closing parenthesis belongs to the URL if it opened one. */
function withoutEnd(word: string): string {
  const words = word.replace(/[.,;:!?"'”’\]]+$/, "");
  return words.endsWith(")") && !words.includes("(") ? withoutEnd(words.slice(0, -1)) : words;
}

const urlPattern = /https?:\/\/[^\s<>"]+/gi;

/** Plain text as inline HTML with its URLs linked. */
export function linkedHtml(text: string): string {
  let html = "";
  let end = 0;
  for (const { 0: match, index } of text.matchAll(urlPattern)) {
    const words = withoutEnd(match);
    const href = linkOf(words);
    if (href === null) continue;
    html += `${escapeHtml(text.slice(end, index))}<a href="${escapeHtml(href)}">${escapeHtml(words)}</a>`;
    end = index + words.length;
  }
  return cleanInline(html + escapeHtml(text.slice(end)));
}
