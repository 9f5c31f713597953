import { useEffect, useRef } from "react";

/**
 * Leads to a list's heading once the rows of the page that was turned to are there: the pager stands below the last row. `shown` is the page
 * whose rows are shown; undefined while another one's are.
 */
export function usePageTurn(shown: number | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const turnedTo = useRef<number>(undefined);
  useEffect(() => {
    if (shown === undefined || shown !== turnedTo.current) return;
    turnedTo.current = undefined;
    heading.current?.scrollIntoView({ block: "start" });
    heading.current?.focus({ preventScroll: true });
  }, [shown]);
  return {
    /** For an `<h2 tabIndex={-1}>`. */
    heading,
    /** Undefined: something else than a page was chosen meanwhile. */
    turn: (page: number | undefined) => void (turnedTo.current = page),
  };
}
