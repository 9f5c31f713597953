import type { ReactNode } from "react";
import css from "./button-row.module.css";

/** Right-aligned buttons, the primary one last. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={css.row}>{children}</div>;
}
