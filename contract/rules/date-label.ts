/** Without Intl: a page's first formatter costs 20 ms on the main thread of the widget's host page. */
const months = "January February March April May June July August September October November December".split(" ");

const ordinal = (day: number): string => `${day}${(day > 10 && day < 14 ? "" : ["th", "st", "nd", "rd"][day % 10]) || "th"}`;

/** `day` counts from 1 January 1970; e.g. March 3rd, 2026. Source: specification, section 9. */
export function writtenDay(day: number): string {
  const date = new Date(day * 86_400_000);
  return `${months[date.getUTCMonth()]} ${ordinal(date.getUTCDate())}, ${date.getUTCFullYear()}`;
}
