import type { ReactNode } from "react";
import { drawings } from "./drawings.tsx";
import css from "./empty-state.module.css";

interface EmptyStateProps {
  drawing: keyof typeof drawings;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  level?: 1 | 2 | 3;
}

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
