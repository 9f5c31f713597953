import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { classNames } from "../../lib/class-names.ts";
import { Button } from "../../ui/button.tsx";
import { Stack } from "../../ui/layout.tsx";
import css from "./session.module.css";

/** The first notice, and a button for the others. Counts elements, as a notice can render nothing. */
export function Notices({ sticky, children }: { sticky: boolean; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState(0);
  const [expanded, setExpanded] = useState(false);
  useLayoutEffect(() => {
    const element = list.current!;
    const count = () => setMore(element.childElementCount - 1);
    const observer = new MutationObserver(count);
    observer.observe(element, { childList: true });
    count();
    return () => observer.disconnect();
  }, []);
  return (
    <Stack gap={1} start className={classNames(css.notices, sticky && css.sticky)}>
      <Stack ref={list} gap={2} className={classNames(css.list, !expanded && css.first)}>
        {children}
      </Stack>
      {more > 0 && (
        <Button variant="quiet" size="small" aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
          {expanded ? "Show less" : `${more} more`}
        </Button>
      )}
    </Stack>
  );
}
