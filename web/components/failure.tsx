import type { ReactNode } from "react";
import type { drawings } from "./drawings.tsx";
import { EmptyState } from "./empty-state.tsx";

interface FailureProps {
  title: string;
  text: ReactNode;
  action: ReactNode;
  drawing?: keyof typeof drawings;
  /** 1 when it is the whole page. */
  level?: 1 | 2;
}

/** A failure in place of a page's content: announced, with what happened, what is safe and what to do. */
export function Failure({ drawing = "broken", ...rest }: FailureProps) {
  return (
    <div role="alert">
      <EmptyState drawing={drawing} {...rest} />
    </div>
  );
}
