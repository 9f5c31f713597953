import { calendarDay } from "./calendar-day.ts";

const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return `${day}th`;
  return `${day}${["th", "st", "nd", "rd"][day % 10] ?? "th"}`;
}

/** A date as a person says it: 'Today', 'Yesterday', '2 days ago', else 'March 3rd, 2026'; days are those of `timeZone`. Source: specification, section 9. */
export function dateLabel(at: string | Date, now: Date, timeZone?: string): string {
  const day = calendarDay(new Date(at), timeZone);
  const daysAgo = calendarDay(now, timeZone).number - day.number;
  if (daysAgo === 0) return "Today";
  if (daysAgo === 1) return "Yesterday";
  if (daysAgo === 2) return "2 days ago";
  return `${months[day.month - 1]} ${ordinal(day.day)}, ${day.year}`;
}
