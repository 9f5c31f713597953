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

/** A post's tag as it is shown; one that is no default tag is its own label, in gray. */
export function tagOf(key: string): Tag {
  return defaultTags.find((tag) => tag.key === key) ?? { key, label: key, colour: "gray" };
}
