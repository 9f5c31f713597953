import { tagKey } from "./rules/tag-key.ts";

export const tagColours = ["blue", "green", "red", "purple", "orange", "gray"] as const;
export type TagColour = (typeof tagColours)[number];

/** `key` is what posts carry. Source: specification, section 3 ("Tag"). */
export interface Tag {
  key: string;
  label: string;
  colour: TagColour;
}

export const defaultTags: readonly Tag[] = [
  { key: "feature", label: "Feature", colour: "green" },
  { key: "improvement", label: "Improvement", colour: "blue" },
  { key: "fix", label: "Fix", colour: "orange" },
  { key: "docs", label: "Documentation", colour: "purple" },
];

/** A post's tag as it is shown: one of `own` (the workspace's, or default ones in its language), a default one, else its own label in gray. */
export function tagOf(key: string, own: readonly Tag[] = []): Tag {
  return [...own, ...defaultTags].find((tag) => tag.key === key) ?? { key, label: key, colour: "gray" };
}

/** The tag of this key, else the one of this name, whatever the case. */
export function tagCalled(name: string, tags: readonly Tag[]): Tag | undefined {
  const key = tagKey(name);
  return tags.find((tag) => tag.key === key) ?? tags.find(({ label }) => tagKey(label) === key);
}

/** A post's tags with the keys they have now, where some were renamed, merged or deleted since it was read; each once. */
export function presentTags(keys: readonly string[], former: Readonly<Record<string, string | null>>): string[] {
  const present = keys.map((key) => (Object.hasOwn(former, key) ? former[key] : key));
  return [...new Set(present)].filter((key) => typeof key === "string");
}
