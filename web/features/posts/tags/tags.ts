import { once } from "#contract/rules/once.ts";
import { tagKey } from "#contract/rules/tag-key.ts";
import { defaultTags, tagOf, type Tag } from "#contract/tags.ts";
import { tagSummary } from "#contract/rules/tag-summary.ts";

/** True if a new tag can have this name: not blank and not a default tag's key. Source: specification, sections 3 and 5. */
export function isNewTagName(name: string): boolean {
  const key = tagKey(name);
  return key !== "" && !defaultTags.some((tag) => tag.key === key);
}

const collator = once(() => new Intl.Collator(undefined, { numeric: true }));
const byLabel = (one: Tag, other: Tag): number => collator().compare(one.label, other.label);

export function inOrder(tags: readonly Tag[]): Tag[] {
  const place = ({ key }: Tag) => defaultTags.findIndex((tag) => tag.key === key) >>> 0; // -1 is last
  return tags.toSorted((one, other) => place(one) - place(other) || byLabel(one, other));
}

export function choosableTags(offered: readonly Tag[], carried: readonly string[]): Tag[] {
  const loose = [...new Set(carried)].filter((key) => !offered.some((tag) => tag.key === key));
  return [...inOrder(offered), ...inOrder(loose.map((key) => tagOf(key)))];
}

export function tagsNamed(tags: readonly Tag[], letters: string): Tag[] {
  const term = letters.trim().toLowerCase();
  return tags.filter(({ label }) => label.toLowerCase().includes(term));
}

export const tagNames = (keys: readonly string[], offered: readonly Tag[]): string[] => keys.map((key) => tagOf(key, offered).label);

/** A post's tags in one line, such as "Feature / Fix +3 more"; "" without tags. */
export function tagLine(keys: readonly string[], offered: readonly Tag[]): string {
  return tagSummary(tagNames(keys, offered));
}

export function byName(keys: Iterable<string>, offered: readonly Tag[]): Tag[] {
  return [...new Set(keys)].map((key) => tagOf(key, offered)).sort(byLabel);
}

export const postCount = (count: number): string => (count === 1 ? "1 post" : `${count.toLocaleString()} posts`);
