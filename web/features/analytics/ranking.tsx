import type { AnalyticsTable } from "#contract/analytics.ts";
import { CsvButton } from "./csv-button.tsx";
import { Part } from "./part.tsx";
import type { Range } from "./range.ts";
import { useShowAll } from "./show-all.tsx";
import { type Ranked, RankingTable } from "./ranking-table.tsx";
import { Text } from "../../ui/layout.tsx";

export interface RankingProps {
  workspaceId: string;
  table: AnalyticsTable;
  range: Range;
  title: string;
  text?: string;
  heads: readonly [string, string];
  rows: readonly Ranked[];
  /** Text of the empty state. */
  emptyText: string;
  /** Completes "Show all 12 …". */
  noun: string;
}

export function Ranking({ workspaceId, table, range, title, text, heads, rows: all, emptyText, noun }: RankingProps) {
  const { rows, button } = useShowAll(all, noun);
  return (
    <Part
      title={title}
      text={text}
      tools={all.length > 0 && <CsvButton workspaceId={workspaceId} table={table} range={range} title={title} />}
    >
      {all.length === 0 ? <Text tone="muted">{emptyText}</Text> : <RankingTable label={title} heads={heads} rows={rows} />}
      {button}
    </Part>
  );
}
