import { createContext, use, useId, type ReactNode } from "react";
import { PageTitle } from "./page-title.tsx";
import { classNames } from "../lib/class-names.ts";
import css from "./section.module.css";

interface SectionProps {
  title: string;
  text?: ReactNode;
  /** URL fragment: `#backup`. */
  anchor?: string;
  children: ReactNode;
}

const PageContext = createContext<string | null>(null);

/** Shows its one section as a page. `context` is the extra part of the tab's title. */
export function SectionPage({ context, children }: { context: string; children: ReactNode }) {
  return <PageContext value={context}>{children}</PageContext>;
}

/** A settings section: title and text on the left, controls beside them. */
export function Section({ title, text, anchor, children }: SectionProps) {
  const id = useId();
  const page = use(PageContext);
  if (page !== null) {
    return (
      <>
        <PageTitle title={title} subtitle={text} context={page} />
        <section aria-label={title} className={classNames(css.controls, css.page)}>
          {children}
        </section>
      </>
    );
  }
  return (
    <section id={anchor} className={css.section} aria-labelledby={id}>
      <div className={css.words}>
        <h2 id={id}>{title}</h2>
        {text && <p className={css.text}>{text}</p>}
      </div>
      <div className={css.controls}>{children}</div>
    </section>
  );
}
