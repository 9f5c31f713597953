import type { ReactNode } from "react";
import type { Tag } from "#contract/tags.ts";
import css from "./tags.module.css";

export function TagChip({ tag, children }: { tag: Tag; children?: ReactNode }) {
  return (
    <span className={css.chip} style={{ background: `var(--tag-${tag.colour}-ground)`, color: `var(--tag-${tag.colour})` }}>
      {tag.label}
      {children}
    </span>
  );
}
