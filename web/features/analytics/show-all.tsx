import { useDeferredValue, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { formatNumber } from "./metric-labels.ts";

const shownAtFirst = 10;

/** The first ten rows, and a button for the rest. */
export function useShowAll<Row>(rows: readonly Row[], noun: string) {
  const [expanded, setExpanded] = useState(false);
  const all = useDeferredValue(expanded); // deferred: thousands of rows, while the button reacts at once
  const button =
    rows.length > shownAtFirst ? (
      <Button
        variant="link"
        className="screen-only"
        style={{ justifySelf: "start" }}
        aria-expanded={expanded}
        busy={expanded !== all}
        onClick={() => setExpanded(!expanded)}
      >
        {expanded ? "Show the first ten" : `Show all ${formatNumber(rows.length)} ${noun}`}
      </Button>
    ) : null;
  return { rows: all ? rows : rows.slice(0, shownAtFirst), button };
}
