import type { ReactNode } from "react";
import { Logo } from "./logo.tsx";
import css from "./full-page.module.css";

/** A page that has only one thing to say, in the middle of the window under our name. */
export function FullPage({ children }: { children: ReactNode }) {
  return (
    <div className={css.page}>
      <header>
        <Logo />
      </header>
      <main>{children}</main>
    </div>
  );
}
