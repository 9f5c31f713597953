export interface Findable {
  title: string;
  words: string;
}

const normalize = (text: string): string => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** Rank of a match: 0 for an exact one; null for none. */
function rank({ title, words }: Findable, query: string): number | null {
  const name = normalize(title);
  const others = normalize(words).split(" ");
  if (name === query || others.includes(query)) return 0;
  if (name.startsWith(query)) return 1;
  if (others.some((word) => word.startsWith(query))) return 2;
  if (name.split(" ").some((word) => word.startsWith(query))) return 3;
  return name.replaceAll(" ", "").startsWith(query.replaceAll(" ", "")) ? 4 : name.includes(query) ? 5 : null;
}

/** Matching items, best first, else in the given order; all for an empty query. */
export function find<Item extends Findable>(items: readonly Item[], query: string): Item[] {
  const normalizedQuery = normalize(query.trim());
  if (normalizedQuery === "") return [...items];
  const ranked = items.flatMap((item) => {
    const place = rank(item, normalizedQuery);
    return place === null ? [] : [{ item, place }];
  });
  return ranked.sort((one, other) => one.place - other.place).map(({ item }) => item);
}
