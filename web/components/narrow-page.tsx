import type { ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";
import { usePageTitle } from "../lib/use-page-title.ts";
import { Logo } from "./logo.tsx";
import { useFocusOnNavigation } from "./page-title.tsx";
import css from "./narrow-page.module.css";

interface NarrowPageProps {
  title: string;
  text?: ReactNode;
  /** There is more to read. */
  roomy?: boolean;
  children: ReactNode;
}

/** A page that asks for one thing, outside any workspace: logo, heading, a sentence, the thing. */
export function NarrowPage({ title, text, roomy, children }: NarrowPageProps) {
  usePageTitle(title);
  const heading = useFocusOnNavigation(title);
  return (
    <main className={classNames(css.page, roomy && css.roomy)}>
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
