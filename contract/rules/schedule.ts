import { scheduleReachYears } from "../limits.ts";

/** Times offered beside the clock. Source: specification, section 5. */
export const quickTimes = ["09:00", "13:00", "17:00"] as const;

const two = (number: number): string => String(number).padStart(2, "0");
const dayOf = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** The earliest day a post can be scheduled for: today, as YYYY-MM-DD in the browser's zone. Source: specification, section 5. */
export function earliestDay(now: Date): string {
  return dayOf(now);
}

/** The latest moment a post can be scheduled for. */
export function latestTime(now: Date): Date {
  const time = new Date(now);
  time.setFullYear(now.getFullYear() + scheduleReachYears);
  return time;
}

/** Its day, as YYYY-MM-DD in the browser's zone. */
export function latestDay(now: Date): string {
  return dayOf(latestTime(now));
}

/** What the schedule form starts with: tomorrow at 09:00 in the browser's zone. Source: specification, section 5. */
export function defaultSchedule(now: Date): { day: string; time: string } {
  return { day: dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)), time: quickTimes[0] };
}

/** A stored time as the form shows it, in the browser's zone. */
export function scheduleOf(publishAt: string | Date): { day: string; time: string } {
  const date = new Date(publishAt);
  return { day: dayOf(date), time: `${two(date.getHours())}:${two(date.getMinutes())}` };
}

/**
 * Day (YYYY-MM-DD) and time (HH:MM) of the browser's zone as an ISO time; null when either is missing or does not exist (30 February).
 * An hour that the clock skips in spring becomes the next one. Source: specification, section 5 ('Please select a date and time').
 */
export function publishTime(day: string, time: string): string | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (date === undefined || minutes === undefined) return null;
  const at = new Date(Number(year), Number(month) - 1, Number(date), Number(hours), Number(minutes));
  return dayOf(at) === day ? at.toISOString() : null;
}
