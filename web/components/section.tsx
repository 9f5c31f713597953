import { useId, type ReactNode } from "react";
import css from "./section.module.css";

interface SectionProps {
  title: string;
  text?: ReactNode;
  /** Lets links lead here: `#appearance`. */
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
