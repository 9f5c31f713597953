import type { ReactNode } from "react";
import { drawings } from "./drawings.tsx";
import css from "./empty-state.module.css";

interface EmptyStateProps {
  drawing: keyof typeof drawings;
  title: string;
  /** One sentence. */
  text?: ReactNode;
  /** One button or link. */
  action?: ReactNode;
  /** The heading's level in its page. */
  level?: 1 | 2 | 3;
}

/** Nothing here yet: a small drawing, one sentence, one thing to do. */
export function EmptyState({ drawing, title, text, action, level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={css.empty}>
      <svg viewBox="0 0 96 72" className={css.drawing} aria-hidden="true">
        {drawings[drawing]}
      </svg>
      <Heading className={css.title}>{title}</Heading>
      {text && <p className={css.text}>{text}</p>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  );
}
