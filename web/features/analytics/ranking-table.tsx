import { Note } from "../../ui/layout.tsx";
import { formatNumber } from "./metric-labels.ts";
import css from "./ranking-table.module.css";

export interface Ranked {
  name: string;
  count: number;
  note?: string | null;
}

interface RankingTableProps {
  /** Accessible name. */
  label: string;
  heads: readonly [string, string];
  rows: readonly Ranked[];
}

/** Names and counts with bars relative to the largest. */
export function RankingTable({ label, heads, rows }: RankingTableProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <table className={css.table} aria-label={label}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{heads[0]}</th>
          <th scope="col">{heads[1]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, count, note }) => (
          <tr key={name}>
            <th scope="row">
              <span className={css.bar} style={{ width: `${(count / most) * 100}%` }} />
              <span className={css.name}>
                {name}
                {note && <Note as="span"> {note}</Note>}
              </span>
            </th>
            <td>{formatNumber(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
