import type { Range } from "../range.ts";
import { monthName, shortDay } from "../days.ts";

/** A point of the line: the days from index `start` up to, not including, `end`. */
export interface Slot extends Range {
  start: number;
  end: number;
  /** Incomplete: the day isn't over, or the week extends beyond the range. */
  partial: boolean;
}

/** Above this, points are weeks. */
const maxPoints = 400;

/** One point a day, or a week (from Monday) for long ranges. */
export function toSlots(days: readonly string[], today: string): Slot[] {
  const one = (day: string, index: number) => ({ from: day, to: day, start: index, end: index + 1 });
  if (days.length <= maxPoints) return days.map((day, index) => ({ ...one(day, index), partial: day === today }));
  const weeks: Omit<Slot, "partial">[] = [];
  days.forEach((day, index) => {
    const week = weeks.at(-1);
    if (!week || isMonday(day)) weeks.push(one(day, index));
    else Object.assign(week, { to: day, end: index + 1 });
  });
  return weeks.map((week) => ({ ...week, partial: week.end - week.start < 7 || week.to === today }));
}

const isMonday = (day: string): boolean => new Date(day).getUTCDay() === 1;

export const sumBySlot = (slots: readonly Slot[], values: readonly number[]): number[] =>
  slots.map(({ start, end }) => values.slice(start, end).reduce((sum, value) => sum + value, 0));

/** At most five round steps from 0 to at least `largest`. */
export function valueTicks(largest: number): number[] {
  if (largest <= 0) return [0, 1];
  const rough = largest / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].find((times) => times * power >= rough)! * power);
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, index) => Math.round(index * step));
}

export interface DayTick {
  index: number;
  label: string;
}

/** Labelled points: every few days, or the first of months from half a year on. */
export function dayTicks(slots: readonly Slot[]): DayTick[] {
  const days = slots.at(-1) ? slots.at(-1)!.end : 0;
  if (days > 150) {
    const every = [1, 2, 3, 6, 12].find((months) => days / 30 / months <= 13) ?? 12;
    return slots.flatMap((slot, index) => {
      const first = firstOfMonthIn(slot);
      return first !== null && (Number(first.slice(5, 7)) - 1) % every === 0 ? [{ index, label: monthName(first) }] : [];
    });
  }
  const every = [1, 2, 7, 14].find((step) => days / step <= 8) ?? 14;
  const last = slots.length - 1;
  return slots.flatMap(({ from }, index) => ((last - index) % every === 0 ? [{ index, label: shortDay(from) }] : []));
}

function firstOfMonthIn({ from, to }: Range): string | null {
  if (from.endsWith("-01")) return from;
  return from.slice(0, 7) === to.slice(0, 7) ? null : `${to.slice(0, 7)}-01`;
}

/** Horizontal position in percent. */
export const xPercent = (index: number, points: number): number => (points < 2 ? 50 : (index / (points - 1)) * 100);
