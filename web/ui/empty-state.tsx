import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { drawings } from "./drawings.tsx";
import css from "./notice.module.css";

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
      <Heading>{title}</Heading>
      {text && <p>{text}</p>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  );
}

type Retry = { action: ReactNode; onRetry?: undefined } | { action?: undefined; onRetry: () => void };

type FailureProps = Retry & {
  title: string;
  text: ReactNode;
  drawing?: keyof typeof drawings;
  /** 1 on a full page. */
  level?: 1 | 2;
};

/** Announced error in place of a page's content. */
export function Failure({ drawing = "broken", action, onRetry, ...rest }: FailureProps) {
  return (
    <div role="alert">
      <EmptyState
        drawing={drawing}
        action={
          action ?? (
            <Button icon="refresh" onClick={() => onRetry?.()}>
              Try again
            </Button>
          )
        }
        {...rest}
      />
    </div>
  );
}
