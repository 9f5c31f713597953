import { useEffect, useRef } from "react";

/** Focuses a list's heading once the new page's rows have loaded. `shown` is their page, undefined while loading. */
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
    heading,
    turn: (page: number | undefined) => void (turnedTo.current = page),
  };
}
