import type { ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";
import { usePageTitle } from "../lib/use-page-title.ts";
import { Logo } from "./logo.tsx";
import { useFocusOnNavigation } from "./page-title.tsx";
import css from "./narrow-page.module.css";

interface NarrowPageProps {
  title: string;
  text?: ReactNode;
  /** Wider, for more text. */
  wide?: boolean;
  children: ReactNode;
}

/** A page for one task, outside any workspace. */
export function NarrowPage({ title, text, wide, children }: NarrowPageProps) {
  usePageTitle(title);
  const heading = useFocusOnNavigation(title);
  return (
    <main className={classNames(css.page, wide && css.wide)}>
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
