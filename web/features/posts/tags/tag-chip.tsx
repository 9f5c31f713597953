import type { ReactNode } from "react";
import type { Tag } from "#contract/tags.ts";
import css from "./tag-chip.module.css";

export function TagChip({ tag, children }: { tag: Tag; children?: ReactNode }) {
  return (
    <span className={css.chip} data-colour={tag.colour}>
      {tag.label}
      {children}
    </span>
  );
}
