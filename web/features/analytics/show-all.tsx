import { useDeferredValue, useState } from "react";
import { Button } from "../../components/button.tsx";
import { number } from "./metric-labels.ts";
import css from "./parts.module.css";

const shownAtFirst = 10;

/** The first ten of a list, and a button for all of them. */
export function useShowAll<Row>(rows: readonly Row[], what: string) {
  const [wanted, setWanted] = useState(false);
  const all = useDeferredValue(wanted); // thousands of rows may take a moment; the button does not
  const button =
    rows.length > shownAtFirst ? (
      <Button
        variant="quiet"
        size="small"
        className={css.more}
        aria-expanded={wanted}
        busy={wanted !== all}
        onClick={() => setWanted(!wanted)}
      >
        {wanted ? "Show the first ten" : `Show all ${number(rows.length)} ${what}`}
      </Button>
    ) : null;
  return { rows: all ? rows : rows.slice(0, shownAtFirst), button };
}
