import { type ReactNode, useId } from "react";
import css from "./parts.module.css";
import { Text } from "../../ui/layout.tsx";

interface PartProps {
  title: string;
  text?: ReactNode;
  /** Small buttons beside the title, hidden in print. */
  tools?: ReactNode;
  /** Gets the heading's id, for aria-labelledby. */
  children: (headingId: string) => ReactNode;
}

export function Part({ title, text, tools, children }: PartProps) {
  const id = useId();
  return (
    <section className={css.part} aria-labelledby={id}>
      <header className={css.head}>
        <div>
          <h2 id={id}>{title}</h2>
          {text && (
            <Text size="small" tone="muted">
              {text}
            </Text>
          )}
        </div>
        {tools && <div className={css.tools}>{tools}</div>}
      </header>
      {children(id)}
    </section>
  );
}
