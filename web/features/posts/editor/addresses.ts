import { cleanInline } from "#contract/blocks/inline-html.ts";
import { safeLink } from "#contract/blocks/safe-url.ts";
import { escapeHtml } from "#contract/blocks/text.ts";

const mail = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;

/** The link that somebody means who writes an address by itself: with its protocol, as www…, or as a mail address; null for other words. */
export function addressOf(words: string): string | null {
  if (/^https?:\/\/[^\s<>"]+$/i.test(words) || /^mailto:\S+$/i.test(words)) return safeLink(words);
  if (/^www\.[\w-]+\.[^\s<>"]+$/i.test(words)) return safeLink(`https://${words}`);
  return mail.test(words) ? safeLink(`mailto:${words}`) : null;
}

/** What somebody writes into a field for an address; "example.com" is enough there. */
export function addressFrom(entry: string): string | null {
  const words = entry.trim();
  if (words === "" || /\s/.test(words)) return null;
  const known = addressOf(words);
  if (known !== null) return known;
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?#:]\S*)?$/.test(words) ? safeLink(`https://${words}`) : null;
}

/** An address at the end of a text that is being written, without what ends a sentence; and where it begins. */
export function addressBefore(line: string): { from: number; words: string; href: string } | null {
  const [word = ""] = /\S+$/.exec(line.slice(-2_100)) ?? [];
  const opened = /^[("'“‘[]*/.exec(word)?.[0].length ?? 0;
  const words = withoutEnd(word.slice(opened));
  const href = addressOf(words);
  return href === null ? null : { from: line.length - word.length + opened, words, href };
}

/** A closing parenthesis belongs to the address when it opens one. */
function withoutEnd(word: string): string {
  const words = word.replace(/[.,;:!?"'”’\]]+$/, "");
  return words.endsWith(")") && !words.includes("(") ? withoutEnd(words.slice(0, -1)) : words;
}

const inText = /https?:\/\/[^\s<>"]+/gi;

/** A text as inline HTML, with its addresses as links. */
export function linkedHtml(text: string): string {
  let html = "";
  let end = 0;
  for (const { 0: found, index } of text.matchAll(inText)) {
    const words = withoutEnd(found);
    const href = addressOf(words);
    if (href === null) continue;
    html += `${escapeHtml(text.slice(end, index))}<a href="${escapeHtml(href)}">${escapeHtml(words)}</a>`;
    end = index + words.length;
  }
  return cleanInline(html + escapeHtml(text.slice(end)));
}
