/** Removes what Postgres' jsonb or XML can't hold: NUL, control characters, lone surrogates. Anything but a string or number becomes "". */
export function cleanText(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return "";
  return value.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, "").toWellFormed();
}

const special = /[&<>"']/;

export function escapeHtml(text: string): string {
  if (!special.test(text)) return text;
  // Chained replaces are faster than a callback per character.
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#39;");
}

const entities = new Map(
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

export function decodeEntities(html: string): string {
  if (!html.includes("&")) return html;
  return html.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));?/gi, (match, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return entities.get(name.toLowerCase()) ?? match;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}
