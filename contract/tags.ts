import { tagKey } from "./rules/tag-key.ts";

export const tagColours = ["blue", "green", "red", "purple", "orange", "gray"] as const;
export type TagColour = (typeof tagColours)[number];

/** `key` is stored in posts. Source: specification, section 3 ("Tag"). */
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

/** For display: from `own` (the workspace's tags), else a default tag, else the key as a gray label. */
export function tagOf(key: string, own: readonly Tag[] = []): Tag {
  return [...own, ...defaultTags].find((tag) => tag.key === key) ?? { key, label: key, colour: "gray" };
}

export function tagCalled(name: string, tags: readonly Tag[]): Tag | undefined {
  const key = tagKey(name);
  return tags.find((tag) => tag.key === key) ?? tags.find(({ label }) => tagKey(label) === key);
}

export function presentTags(keys: readonly string[], former: Readonly<Record<string, string | null>>): string[] {
  const present = keys.map((key) => (Object.hasOwn(former, key) ? former[key] : key));
  return [...new Set(present)].filter((key) => typeof key === "string");
}
