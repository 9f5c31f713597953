import type { ReactNode } from "react";
import { Logo } from "./logo.tsx";
import css from "./full-page.module.css";

/** A centred page under the logo. */
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
