import { calendarDay } from "./calendar-day.ts";

/** March 3, 2026 */
const dates = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

function ordinal(day: string): string {
  return `${day}${(/^1[123]/.test(day) ? "" : ["th", "st", "nd", "rd"][Number(day) % 10]) || "th"}`;
}

/** A date as a person says it: 'Today', 'Yesterday', '2 days ago', else 'March 3rd, 2026'; days are those of `timeZone`. Source: specification, section 9. */
export function dateLabel(at: string | Date, now: Date, timeZone?: string): string {
  return dayLabel(calendarDay(new Date(at), timeZone).number, calendarDay(now, timeZone).number);
}

/** The same for days that are known already, as numbers of days since January 1st, 1970. */
export function dayLabel(day: number, today: number): string {
  if (day === today) return "Today";
  if (day === today - 1) return "Yesterday";
  if (day === today - 2) return "2 days ago";
  return dates.format(day * 86_400_000).replace(/\d+/, ordinal);
}
