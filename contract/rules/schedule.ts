import { scheduleReachYears } from "../limits.ts";

/** Source: specification, section 5. */
export const quickTimes = ["09:00", "13:00", "17:00"] as const;

const two = (number: number): string => String(number).padStart(2, "0");
const dayOf = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** Today as YYYY-MM-DD in the browser's zone. Source: specification, section 5. */
export function earliestDay(now: Date): string {
  return dayOf(now);
}

export function latestTime(now: Date): Date {
  const time = new Date(now);
  time.setFullYear(now.getFullYear() + scheduleReachYears);
  return time;
}

export function latestDay(now: Date): string {
  return dayOf(latestTime(now));
}

/** Tomorrow at 09:00 in the browser's zone. Source: specification, section 5. */
export function defaultSchedule(now: Date): { day: string; time: string } {
  return { day: dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)), time: quickTimes[0] };
}

export function scheduleOf(publishAt: string | Date): { day: string; time: string } {
  const date = new Date(publishAt);
  return { day: dayOf(date), time: `${two(date.getHours())}:${two(date.getMinutes())}` };
}

export function publishTime(day: string, time: string): string | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (date === undefined || minutes === undefined) return null;
  const at = new Date(Number(year), Number(month) - 1, Number(date), Number(hours), Number(minutes));
  return dayOf(at) === day ? at.toISOString() : null;
}
