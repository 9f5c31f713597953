import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import type { drawings } from "./drawings.tsx";
import { EmptyState } from "./empty-state.tsx";

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
