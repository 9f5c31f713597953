/**
 * A string without what neither Postgres' jsonb nor XML can hold: NUL and other control characters, lone surrogates.
 * Anything but a string or a number becomes "".
 */
export function cleanText(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return "";
  return value.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, "").toWellFormed();
}

const special = /[&<>"']/;

/** Text as HTML or XML, in element content and in quoted attributes alike. */
export function escapeHtml(text: string): string {
  if (!special.test(text)) return text;
  // One replacement after the other: none of them calls back for each character.
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#39;");
}

const named = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: "\u00a0",
    colon: ":",
    tab: "\t",
    newline: "\n",
    shy: "\u00ad",
    hellip: "…",
    mdash: "—",
    ndash: "–",
    copy: "©",
    laquo: "«",
    raquo: "»",
  }),
);

/** HTML text as plain text: numeric references and the names above; a reference it does not know stays as it is. */
export function decodeEntities(html: string): string {
  if (!html.includes("&")) return html;
  return html.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));?/gi, (match, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return named.get(name.toLowerCase()) ?? match;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}
