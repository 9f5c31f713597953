/** A tag as it can be chosen. Source: specification, section 3 ("Tag"). */
export interface Tag {
  /** What posts carry. */
  key: string;
  label: string;
  colour: TagColour;
}

export const tagColours = ["blue", "green", "red", "purple", "orange", "gray"] as const;
export type TagColour = (typeof tagColours)[number];

export const defaultTagColour: TagColour = "blue";

export const defaultTags: readonly Tag[] = [
  { key: "feature", label: "Feature", colour: "green" },
  { key: "improvement", label: "Improvement", colour: "blue" },
  { key: "fix", label: "Fix", colour: "orange" },
  { key: "docs", label: "Documentation", colour: "purple" },
];

/** What a post's tag is called; a tag that is no default one is its own name. */
export const tagLabel = (key: string): string => defaultTags.find((tag) => tag.key === key)?.label ?? key;

/** A new tag by its name; null when the name is blank or a default tag's key. Source: specification, sections 3 and 5. */
export function newTag(name: string, colour: TagColour): Tag | null {
  const label = name.trim().replace(/\s+/g, " ");
  const isDefault = defaultTags.some((tag) => tag.key === label.toLowerCase());
  return label === "" || isDefault ? null : { key: label, label, colour };
}

/** All that can be chosen: the defaults, the workspace's own, and tags that posts carry without anybody having kept their colour. */
export function knownTags(own: readonly Tag[], found: readonly string[]): Tag[] {
  const named = [...defaultTags, ...own];
  const loose = found.filter((key) => !named.some((tag) => tag.key === key));
  return [...named, ...loose.map((key): Tag => ({ key, label: key, colour: "gray" }))];
}
