import type { ReactNode } from "react";
import css from "./skeleton.module.css";

/** A grey stand-in of the real layout's size, e.g. `<Skeleton width="12rem" height="1.25rem" />`. Lengths are CSS. */
export function Skeleton({ width = "100%", height = "1rem", round = false }: { width?: string; height?: string; round?: boolean }) {
  return <span className={css.skeleton} style={{ width, height, borderRadius: round ? "50%" : undefined }} aria-hidden="true" />;
}

/** Wraps skeletons: says to screen readers what is loading. */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {children}
    </div>
  );
}
