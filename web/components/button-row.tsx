import type { ReactNode } from "react";
import css from "./button-row.module.css";

/** Buttons at the end of a page as in a dialog: at the right, the primary one last. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={css.row}>{children}</div>;
}
