import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import type { drawings } from "./drawings.tsx";
import { EmptyState } from "./empty-state.tsx";

/** What to do: most often to try again. */
type Way = { action: ReactNode; onRetry?: undefined } | { action?: undefined; onRetry: () => void };

type FailureProps = Way & {
  title: string;
  text: ReactNode;
  drawing?: keyof typeof drawings;
  /** 1 when it is the whole page. */
  level?: 1 | 2;
};

/** A failure in place of a page's content: announced, with what happened, what is safe and what to do. */
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
