import { calendarDay } from "./calendar-day.ts";

/** 'Today', 'Yesterday', 'n days ago' under 7 days, else the locale's date. Source: specification, section 9. */
export function searchDateLabel(at: string | Date, now: Date, locale?: string, timeZone?: string): string {
  const date = new Date(at);
  const daysAgo = calendarDay(now, timeZone).number - calendarDay(date, timeZone).number;
  if (daysAgo === 0) return "Today";
  if (daysAgo === 1) return "Yesterday";
  if (daysAgo > 1 && daysAgo < 7) return `${daysAgo} days ago`;
  return date.toLocaleDateString(locale, { timeZone });
}
