import type { AnalyticsTable } from "#contract/analytics.ts";
import { CsvButton } from "./csv-button.tsx";
import { Part } from "./part.tsx";
import type { Range } from "./range.ts";
import { useShowAll } from "./show-all.tsx";
import { type Ranked, RankingTable } from "./ranking-table.tsx";
import css from "./parts.module.css";

interface RankingProps {
  workspaceId: string;
  table: AnalyticsTable;
  range: Range;
  title: string;
  text?: string;
  /** Heads of the two columns. */
  heads: readonly [string, string];
  rows: readonly Ranked[];
  /** Said in place of an empty table. */
  none: string;
  /** What "Show all" shows all of. */
  what: string;
}

/** Names and how often, most first, each with a bar as long as its share of the first. */
export function Ranking({ workspaceId, table, range, title, text, heads, rows: all, none, what }: RankingProps) {
  const { rows, button } = useShowAll(all, what);
  return (
    <Part
      title={title}
      text={text}
      tools={all.length > 0 && <CsvButton workspaceId={workspaceId} table={table} range={range} title={title} />}
    >
      {(headingId) =>
        all.length === 0 ? (
          <p className={css.none}>{none}</p>
        ) : (
          <>
            <RankingTable labelledBy={headingId} heads={heads} rows={rows} />
            {button}
          </>
        )
      }
    </Part>
  );
}
