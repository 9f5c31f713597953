import type { Range } from "./range.ts";

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, { ...options, timeZone: "UTC" });
const short = format({ day: "numeric", month: "short" });
const withWeekday = format({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
const full = format({ day: "numeric", month: "short", year: "numeric" });
const month = format({ month: "short" });
const year = format({ year: "numeric" });

/** "Nov 3". */
export const shortDay = (day: string): string => short.format(new Date(day));
/** "Nov 3, 2026". */
export const fullDay = (day: string): string => full.format(new Date(day));
/** "Jan 2026" in January, else "Nov". */
export const monthName = (day: string): string =>
  day.slice(5, 7) === "01" ? `${month.format(new Date(day))} ${year.format(new Date(day))}` : month.format(new Date(day));
/** "Tue, Nov 3, 2026", or a range. */
export const spanName = ({ from, to }: Range): string =>
  from === to ? withWeekday.format(new Date(from)) : full.formatRange(new Date(from), new Date(to));
