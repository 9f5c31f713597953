import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { classNames } from "../../../lib/class-names.ts";
import { spanName } from "../days.ts";
import { xPercent, dayTicks, type Slot, valueTicks } from "./scale.ts";
import css from "./line-chart.module.css";

interface LineChartProps {
  /** E.g. "Views by day". */
  label: string;
  slots: readonly Slot[];
  values: readonly number[];
  /** Previous period, drawn faintly. */
  before?: readonly number[];
  /** "1,234 views". */
  format: (value: number) => string;
}

const compact = new Intl.NumberFormat(undefined, { notation: "compact" });

/** Accessible SVG line chart: a slider whose points are announced (arrow keys, Home, End). Canvas libraries have no accessible text, theme or print output. */
export function LineChart({ label, slots, values, before, format }: LineChartProps) {
  const last = slots.length - 1;
  const [at, setAt] = useState<number | null>(null);
  const [active, setActive] = useState(false);
  const current = Math.min(at ?? last, last);
  const ticks = valueTicks(Math.max(0, ...values, ...(before ?? [])));
  const top = ticks.at(-1)!;
  const point = (value: number, index: number) => `${round(xPercent(index, slots.length))} ${round(100 - (value / top) * 100)}`;
  const points = (all: readonly number[]) => all.slice(0, slots.length).map(point);
  const path = (between: readonly string[]) => (between.length === 0 ? "" : `M${between.join("L")}${between.length === 1 ? "h0" : ""}`);
  const line = points(values);
  const complete = [slots[0]?.partial && last > 0 ? 1 : 0, slots[last]?.partial ? last : last + 1] as const;
  const pointLabel = (index: number) => `${spanName(slots[index]!)}${slots[index]!.partial ? ", incomplete" : ""}`;

  function onKeyDown(event: KeyboardEvent) {
    const to = event.key === "Escape" ? undefined : keyTarget(event.key, current, last);
    if (event.key === "Escape") setActive(false);
    if (to === undefined) return;
    event.preventDefault();
    setAt(to);
    setActive(true);
  }

  function onPointer({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.min(last, Math.max(0, Math.round(((clientX - left) / (width || 1)) * last))));
    setActive(true);
  }

  return (
    <div className={css.chart}>
      <div className={css.scale} aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ bottom: `${(tick / top) * 100}%` }}>
            {compact.format(tick)}
          </span>
        ))}
      </div>
      <div
        className={css.plot}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, current)}
        aria-valuetext={slots[current] && `${pointLabel(current)}: ${format(values[current] ?? 0)}`}
        onKeyDown={onKeyDown}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={({ currentTarget }) => currentTarget.matches(":focus-visible") || setActive(false)}
        onFocus={({ currentTarget }) => currentTarget.matches(":focus-visible") && setActive(true)}
        onBlur={() => setActive(false)}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path className={css.grid} d={ticks.map((tick) => `M0 ${round(100 - (tick / top) * 100)}H100`).join("")} />
          {slots.length > 1 && <path className={css.area} d={`${path(line)}V100H0Z`} />}
          {before && <path className={css.before} d={path(points(before))} />}
          <path className={css.line} d={path(line.slice(...complete))} />
          <path className={css.partial} d={path(line.slice(0, complete[0] + 1)) + path(line.slice(complete[1] - 1))} />
        </svg>
        {active && slots[current] && (
          <Tip
            left={xPercent(current, slots.length)}
            bottom={((values[current] ?? 0) / top) * 100}
            day={pointLabel(current)}
            words={format(values[current] ?? 0)}
            earlier={before && format(before[current] ?? 0)}
          />
        )}
      </div>
      <div className={css.days} aria-hidden="true">
        {dayTicks(slots).map(({ index, label: day }) => {
          const left = xPercent(index, slots.length);
          return (
            <span key={index} style={{ left: `${left}%`, translate: `${-left}%` }}>
              {day}
            </span>
          );
        })}
      </div>
    </div>
  );
}

/** Tooltip of a point, on the side with more room. */
function Tip({ left, bottom, day, words, earlier }: { left: number; bottom: number; day: string; words: string; earlier?: string }) {
  return (
    <>
      <span className={css.rule} style={{ left: `${left}%` }} />
      <span className={css.dot} style={{ left: `${left}%`, bottom: `${bottom}%` }} />
      <div className={classNames(css.tip, left > 50 && css.leftward)} style={{ left: `${left}%` }}>
        <span>{day}</span>
        <strong>{words}</strong>
        {earlier && <span>Previous period: {earlier}</span>}
      </div>
    </>
  );
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Target index of a key, or undefined. */
function keyTarget(key: string, current: number, last: number): number | undefined {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -7, PageUp: 7 };
  if (key === "Home") return 0;
  if (key === "End") return last;
  const step = steps[key];
  return step === undefined ? undefined : Math.min(last, Math.max(0, current + step));
}
