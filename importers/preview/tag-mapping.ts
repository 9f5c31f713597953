import { tagMaxLength } from "#contract/limits.ts";
import type { Tag } from "#contract/tags.ts";

export type TagTarget = { kind: "key"; key: string } | { kind: "new" } | { kind: "none" };
export type TagMapping = ReadonlyMap<string, TagTarget>;

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

export function sourceTags(posts: readonly { post: { tags?: readonly string[] } }[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { post } of posts) for (const tag of new Set(post.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([one, many], [other, more]) => more - many || one.localeCompare(other));
}

/** Default: a tag with the same name or a synonym, else a new one. */
export function defaultMapping(names: readonly string[], ownTags: readonly Tag[]): TagMapping {
  return new Map(names.map((name) => [name, targetOf(name, ownTags)]));
}

function targetOf(name: string, ownTags: readonly Tag[]): TagTarget {
  const plain = name.trim().toLowerCase();
  const same = ownTags.find(({ key, label }) => key === plain || label.toLowerCase() === plain);
  if (same) return { kind: "key", key: same.key };
  const synonym = Object.keys(sameAs).find((key) => sameAs[key]?.includes(plain) && ownTags.some((tag) => tag.key === key));
  return synonym === undefined ? { kind: "new" } : { kind: "key", key: synonym };
}

export function newTags(posts: readonly { post: { tags?: readonly string[] } }[], mapping: TagMapping): string[] {
  const names = new Set(posts.flatMap(({ post }) => post.tags ?? []).filter((name) => mapping.get(name)?.kind === "new"));
  return [...names].map(newTagLabel);
}

export const newTagLabel = (name: string): string => name.replace(/\s+/g, " ").trim().slice(0, tagMaxLength).trim();

/** `made`: keys of new tags by label. */
export function mappedTags(tags: readonly string[], mapping: TagMapping, newKeys: ReadonlyMap<string, string>): string[] {
  const keys = tags.map((name) => {
    const target = mapping.get(name);
    if (target?.kind === "key") return target.key;
    return target?.kind === "new" ? newKeys.get(newTagLabel(name)) : undefined;
  });
  return [...new Set(keys)].filter((key) => key !== undefined);
}
