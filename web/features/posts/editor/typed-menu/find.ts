/** Something that can be looked for by its name and by other words. */
export interface Findable {
  title: string;
  /** Other words for it, with blanks between them. */
  words: string;
}

const folded = (text: string): string => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** How well a query fits: 0 is the whole name; null is not at all. */
function rank({ title, words }: Findable, query: string): number | null {
  const name = folded(title);
  const others = folded(words).split(" ");
  if (name === query || others.includes(query)) return 0;
  if (name.startsWith(query)) return 1;
  if (others.some((word) => word.startsWith(query))) return 2;
  if (name.split(" ").some((word) => word.startsWith(query))) return 3;
  return name.replaceAll(" ", "").startsWith(query.replaceAll(" ", "")) ? 4 : name.includes(query) ? 5 : null;
}

/** What fits a query, the best first, else in the given order; everything for an empty one. */
export function find<Item extends Findable>(items: readonly Item[], query: string): Item[] {
  const wanted = folded(query.trim());
  if (wanted === "") return [...items];
  const ranked = items.flatMap((item) => {
    const place = rank(item, wanted);
    return place === null ? [] : [{ item, place }];
  });
  return ranked.sort((one, other) => one.place - other.place).map(({ item }) => item);
}
