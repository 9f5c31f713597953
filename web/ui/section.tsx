import { useEffect, useId, useRef, type ReactNode } from "react";
import css from "./section.module.css";

interface SectionProps {
  title: string;
  text?: ReactNode;
  /** URL fragment: `#backup`. */
  anchor?: string;
  children: ReactNode;
}

/** A settings section: title and text on the left, controls beside them. */
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

/** Scrolls itself into view: the browser can't, since it loads after the page. */
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
