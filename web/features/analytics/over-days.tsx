import { useDeferredValue, useState } from "react";
import type { Analytics, AnalyticsDay } from "#contract/analytics.ts";
import { Button } from "../../ui/button.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { CsvButton } from "./csv-button.tsx";
import { LineChart } from "./chart/line-chart.tsx";
import { type Slot, toSlots, sumBySlot } from "./chart/scale.ts";
import { spanName } from "./days.ts";
import { Part } from "./part.tsx";
import { useDaysBefore } from "./use-analytics.ts";
import { formatCount, type ChartedFigure, chartedFigures, figureLabels, formatNumber } from "./metric-labels.ts";

interface OverDaysProps {
  workspaceId: string;
  data: Analytics;
  show: ChartedFigure;
  today: string;
}

/** One figure by day or week: a line, and a table for screen readers. */
export function OverDays({ workspaceId, data, show, today }: OverDaysProps) {
  const [asTable, setAsTable] = useState(false);
  const isLineThere = useDeferredValue(true, false); // deferred: the table is long and mostly hidden
  const before = useDaysBefore(workspaceId, data);
  const past = data.days.filter(({ day }) => day <= today);
  const days = past.length > 0 ? past : data.days;
  const slots = toSlots(
    days.map(({ day }) => day),
    today,
  );
  const unit = slots.length === days.length ? "day" : "week";
  const { name } = figureLabels[show];
  const title = `${name} by ${unit}`;
  const values = (of: readonly AnalyticsDay[]) =>
    sumBySlot(
      slots,
      of.map((day) => day[show]),
    );
  return (
    <Part
      title={title}
      text={`${formatCount(data.totals[show], figureLabels[show])} in total`}
      tools={
        <>
          {!asTable && (
            <Button
              variant="quiet"
              size="small"
              icon="history"
              aria-pressed={before.isShown}
              onClick={() => before.setIsShown(!before.isShown)}
            >
              Previous period
            </Button>
          )}
          <Button variant="quiet" size="small" icon={asTable ? "chart-bar" : "list"} onClick={() => setAsTable(!asTable)}>
            {asTable ? "Show as chart" : "Show as table"}
          </Button>
          <CsvButton workspaceId={workspaceId} table="days" range={data} title="Days" />
        </>
      }
    >
      {!asTable && (
        <LineChart
          label={title}
          slots={slots}
          values={values(days)}
          before={before.days && values(before.days)}
          format={(value) => formatCount(value, figureLabels[show])}
        />
      )}
      <div
        className={asTable ? undefined : "visually-hidden"}
        {...(asTable && { role: "region", tabIndex: 0, "aria-label": title, style: { maxHeight: "24rem", overflow: "auto" } })}
      >
        {(asTable || isLineThere) && <DaysTable slots={slots} days={days} unit={unit} />}
      </div>
    </Part>
  );
}

function DaysTable({ slots, days, unit }: { slots: readonly Slot[]; days: readonly AnalyticsDay[]; unit: "day" | "week" }) {
  const sums = chartedFigures.map((name) =>
    sumBySlot(
      slots,
      days.map((day) => day[name]),
    ),
  );
  return (
    <DataTable
      aria-label={unit === "day" ? "Each day" : "Each week"}
      rows={slots}
      rowKey={({ from }) => from}
      columns={[
        { header: unit === "day" ? "Day" : "Week", cell: spanName, isRowHeader: true },
        ...chartedFigures.map((name, column) => ({
          header: figureLabels[name].name,
          cell: (slot: Slot) => formatNumber(sums[column]![slots.indexOf(slot)]!),
          style: "number" as const,
          card: "labelled" as const,
        })),
      ]}
    />
  );
}
