import { useEffect, useId, useRef, type ReactNode } from "react";
import css from "./section.module.css";

interface SectionProps {
  title: string;
  text?: ReactNode;
  /** Lets links lead here: `#backup`. */
  anchor?: string;
  children: ReactNode;
}

/** One thing that can be set: its name and what it does at the left, the controls beside it. */
export function Section({ title, text, anchor, children }: SectionProps) {
  const id = useId();
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

/** A section that is not there yet when the page is opened at it, so that the browser cannot go to it: it comes into sight by itself. */
export function LateSection({ anchor, ...section }: SectionProps & { anchor: string }) {
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (location.hash === `#${anchor}`) start.current?.scrollIntoView();
  }, [anchor]);
  return (
    <div ref={start} className={css.start}>
      <Section anchor={anchor} {...section} />
    </div>
  );
}
