import type { ReactNode } from "react";
import { usePageTitle } from "../lib/use-page-title.ts";
import { Logo } from "./logo.tsx";
import { useFocusOnNavigation } from "./page-title.tsx";
import css from "./narrow-page.module.css";

/** A page that asks for one thing, outside any workspace: logo, heading, a sentence, the thing. */
export function NarrowPage({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  usePageTitle(title);
  const heading = useFocusOnNavigation(title);
  return (
    <main className={css.page}>
      <Logo />
      <div className={css.words}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {text && <p className={css.text}>{text}</p>}
      </div>
      {children}
    </main>
  );
}
