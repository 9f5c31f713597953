import { calendarDay } from "./calendar-day.ts";

/** By hand: the first formatter of Intl on a page costs its main thread 20 ms, and the widget is a guest there. */
const months = "January February March April May June July August September October November December".split(" ");

const ordinal = (day: number): string => `${day}${(day > 10 && day < 14 ? "" : ["th", "st", "nd", "rd"][day % 10]) || "th"}`;

/** A date as a person says it: 'Today', 'Yesterday', '2 days ago', else 'March 3rd, 2026'; days are those of `timeZone`. Source: specification, section 9. */
export function dateLabel(at: string | Date, now: Date, timeZone?: string): string {
  return dayLabel(calendarDay(new Date(at), timeZone).number, calendarDay(now, timeZone).number);
}

/** The same for days that are known already, as numbers of days since January 1st, 1970. */
export function dayLabel(day: number, today: number): string {
  return ["Today", "Yesterday", "2 days ago"][today - day] ?? writtenDay(day);
}

/** The day itself, e.g. March 3rd, 2026. */
export function writtenDay(day: number): string {
  const date = new Date(day * 86_400_000);
  return `${months[date.getUTCMonth()]} ${ordinal(date.getUTCDate())}, ${date.getUTCFullYear()}`;
}
