import { useDeferredValue, useState } from "react";
import type { Analytics, AnalyticsDay } from "#contract/analytics.ts";
import { Button } from "../../components/button.tsx";
import { CsvButton } from "./csv-button.tsx";
import { LineChart } from "./chart/line-chart.tsx";
import { type Slot, slotsOf, sumsOf } from "./chart/scale.ts";
import { spanName } from "./days.ts";
import { Part } from "./part.tsx";
import { useDaysBefore } from "./use-analytics.ts";
import { amount, type Drawn, drawn, drawnWords, number } from "./metric-labels.ts";
import { classNames } from "../../lib/class-names.ts";
import css from "./over-days.module.css";

interface OverDaysProps {
  workspaceId: string;
  data: Analytics;
  show: Drawn;
  /** Days after it have not been. */
  today: string;
}

/** One number day by day: as a line, and as a table, which screen readers always have. */
export function OverDays({ workspaceId, data, show, today }: OverDaysProps) {
  const [asTable, setAsTable] = useState(false);
  const isLineThere = useDeferredValue(true, false); // the picture first: the table is long, and mostly unseen
  const before = useDaysBefore(workspaceId, data);
  const been = data.days.filter(({ day }) => day <= today);
  const days = been.length > 0 ? been : data.days;
  const slots = slotsOf(
    days.map(({ day }) => day),
    today,
  );
  const unit = slots.length === days.length ? "day" : "week";
  const { name } = drawnWords[show];
  const title = `${name} by ${unit}`;
  const values = (of: readonly AnalyticsDay[]) =>
    sumsOf(
      slots,
      of.map((day) => day[show]),
    );
  return (
    <Part
      title={title}
      text={`${amount(data.totals[show], drawnWords[show])} in all`}
      tools={
        <>
          {!asTable && (
            <Button
              variant="quiet"
              size="small"
              className={css.tool}
              aria-pressed={before.wanted}
              onClick={() => before.setWanted(!before.wanted)}
            >
              <svg className={css.dashes} viewBox="0 0 16 2" aria-hidden="true">
                <path d="M0 1h16" />
              </svg>
              Days before
            </Button>
          )}
          <Button
            variant="quiet"
            size="small"
            className={css.tool}
            icon={asTable ? "chart-bar" : "list"}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? "Show as line" : "Show as table"}
          </Button>
          <CsvButton workspaceId={workspaceId} table="days" range={data} title="Days" />
        </>
      }
    >
      {(headingId) => (
        <>
          {!asTable && (
            <LineChart
              label={title}
              slots={slots}
              values={values(days)}
              before={before.days && values(before.days)}
              say={(value) => amount(value, drawnWords[show])}
            />
          )}
          <div
            className={classNames(asTable ? css.scroll : "visually-hidden")}
            {...(asTable && { role: "region", tabIndex: 0, "aria-labelledby": headingId })}
          >
            {(asTable || isLineThere) && <DaysTable slots={slots} days={days} unit={unit} />}
          </div>
        </>
      )}
    </Part>
  );
}

function DaysTable({ slots, days, unit }: { slots: readonly Slot[]; days: readonly AnalyticsDay[]; unit: "day" | "week" }) {
  const columns = drawn.map((name) =>
    sumsOf(
      slots,
      days.map((day) => day[name]),
    ),
  );
  return (
    <table className={css.table} aria-label={unit === "day" ? "Each day" : "Each week"}>
      <thead>
        <tr>
          <th scope="col">{unit === "day" ? "DAY" : "WEEK"}</th>
          {drawn.map((name) => (
            <th key={name} scope="col">
              {drawnWords[name].name.toUpperCase()}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {slots.map((slot, index) => (
          <tr key={slot.from}>
            <th scope="row">{spanName(slot)}</th>
            {columns.map((values, column) => (
              <td key={drawn[column]}>{number(values[index]!)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
