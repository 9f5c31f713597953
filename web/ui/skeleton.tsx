import type { ReactNode } from "react";
import css from "./loading.module.css";

export function Skeleton({ width = "100%", height = "1rem", round = false }: { width?: string; height?: string; round?: boolean }) {
  return <span className={css.skeleton} style={{ width, height, borderRadius: round ? "50%" : undefined }} aria-hidden="true" />;
}

export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {children}
    </div>
  );
}
