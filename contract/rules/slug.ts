export const slugMaxLength = 80;

/** Letters that no Unicode decomposition turns into a–z, as Postgres' unaccent writes them. */
const letters = new Map(
  Object.entries({ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ħ: "h", ı: "i", ŋ: "n", ĸ: "q", ŧ: "t" }),
);

/**
 * The part of a post's address that its title gives: a–z, 0–9 and single hyphens, at most 80 characters, never empty.
 * The database decides (private.slugify) and adds -2, -3 …; this says beforehand what it will be. Source: product decision 5.
 */
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
