import { tagMaxLength } from "#contract/limits.ts";
import type { Tag } from "#contract/tags.ts";

/** What becomes of a source's tag: a tag that is here, by its key; a new one of its own name; none. */
export type TagTarget = { kind: "key"; key: string } | { kind: "new" } | { kind: "none" };
/** By the source's name of the tag. */
export type TagMapping = ReadonlyMap<string, TagTarget>;

/** What others call our default tags. */
const sameAs: Readonly<Record<string, readonly string[]>> = {
  feature: [
    "feature",
    "features",
    "new",
    "new feature",
    "new features",
    "added",
    "add",
    "launch",
    "feat",
    "exciting new features",
    "major changes",
    "minor changes",
  ],
  improvement: [
    "improvement",
    "improvements",
    "improved",
    "changed",
    "change",
    "changes",
    "enhancement",
    "enhancements",
    "update",
    "updates",
  ],
  fix: ["fix", "fixes", "fixed", "bug", "bugs", "bugfix", "bugfixes", "bug fix", "bug fixes", "patch changes"],
  docs: ["docs", "documentation"],
};

/** The source's tags, the most frequent first, and how many posts have each. */
export function sourceTags(posts: readonly { post: { tags?: readonly string[] } }[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { post } of posts) for (const tag of new Set(post.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([one, many], [other, more]) => more - many || one.localeCompare(other));
}

/** Where each goes unless somebody says otherwise: to the tag of the same name, or to one that means the same; else to a new one. */
export function defaultMapping(names: readonly string[], here: readonly Tag[]): TagMapping {
  return new Map(names.map((name) => [name, targetOf(name, here)]));
}

function targetOf(name: string, here: readonly Tag[]): TagTarget {
  const plain = name.trim().toLowerCase();
  const same = here.find(({ key, label }) => key === plain || label.toLowerCase() === plain);
  if (same) return { kind: "key", key: same.key };
  const meant = Object.keys(sameAs).find((key) => sameAs[key]?.includes(plain) && here.some((tag) => tag.key === key));
  return meant === undefined ? { kind: "new" } : { kind: "key", key: meant };
}

/** Names of the tags that have to be made for these posts, each once. */
export function newTags(posts: readonly { post: { tags?: readonly string[] } }[], mapping: TagMapping): string[] {
  const names = new Set(posts.flatMap(({ post }) => post.tags ?? []).filter((name) => mapping.get(name)?.kind === "new"));
  return [...names].map(newTagLabel);
}

/** A source's tag as a name that a tag can have here. */
export const newTagLabel = (name: string): string => name.replace(/\s+/g, " ").trim().slice(0, tagMaxLength).trim();

/** A post's tags by their keys here. `made` are the keys of the new ones, by their labels. */
export function mappedTags(tags: readonly string[], mapping: TagMapping, made: ReadonlyMap<string, string>): string[] {
  const keys = tags.map((name) => {
    const target = mapping.get(name);
    if (target?.kind === "key") return target.key;
    return target?.kind === "new" ? made.get(newTagLabel(name)) : undefined;
  });
  return [...new Set(keys)].filter((key) => key !== undefined);
}
