/**
 * A post's stand-in number of views, 100 to 4999: the same for the same id and title, everywhere. Only sorts; it is never shown as a count.
 * FNV-1a over both. Source: specification, section 9; product decision 8.
 */
export function placeholderViews(id: string, title: string): number {
  let hash = 0x811c9dc5;
  for (const character of `${id}:${title}`) {
    hash ^= character.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return 100 + (hash % 4_900);
}
