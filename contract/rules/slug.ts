export const slugMaxLength = 80;

/** Letters without a Unicode decomposition to a–z, as in Postgres' unaccent. */
const letters = new Map(
  Object.entries({ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ħ: "h", ı: "i", ŋ: "n", ĸ: "q", ŧ: "t" }),
);

/** Slug of a title, at most 80 characters, never empty. A preview: the database (private.slugify) appends -2, -3 … Source: decision 5. */
export function slug(title: string): string {
  const latin = title
    .replaceAll("'", "")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^\0-\x7f]/g, (letter) => letters.get(letter) ?? letter);
  const hyphened = latin.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return hyphened.slice(0, slugMaxLength).replace(/-$/, "") || "post";
}
