import type { DateFormat } from "../appearance-choices.ts";
import { type Locale, localeTags } from "../locales.ts";
import { calendarDay } from "../rules/calendar-day.ts";
import { once } from "../rules/once.ts";
import { writtenDay } from "../rules/date-label.ts";

/** Dates on pages, in the widget and in emails. Days are UTC: the server doesn't know the reader's zone. */
export interface Dates {
  day(at: Date): string;
  /** E.g. Yesterday; null for older days. */
  word(at: Date, now: Date): string | null;
  words: readonly string[];
  label(at: Date, now: Date): string;
  exact(at: Date): string;
  month(month: string): string;
}

const cache = new Map<string, Dates>();

/** Formatted by Intl; English has the wordings of the specification, section 9 ("2 days ago", "March 3rd, 2026"). */
export function datesIn(locale: Locale, format: DateFormat): Dates {
  const key = `${locale} ${format}`;
  const dates = cache.get(key) ?? makeDates(locale, format);
  cache.set(key, dates);
  return dates;
}

function makeDates(locale: Locale, format: DateFormat): Dates {
  const tag = localeTags[locale];
  // Lazy: each formatter takes milliseconds, and few pages need all.
  const written = once(() => new Intl.DateTimeFormat(tag, { dateStyle: format === "iso" ? "long" : format, timeZone: "UTC" }));
  const exact = once(() => new Intl.DateTimeFormat(tag, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }));
  const month = once(() => new Intl.DateTimeFormat(tag, { month: "long", year: "numeric", timeZone: "UTC" }));
  const words = locale === "en" ? ["Today", "Yesterday", "2 days ago"] : lastDays(tag);
  const day = (at: Date): string => {
    if (format === "iso") return at.toISOString().slice(0, 10);
    return locale === "en" && format === "long" ? writtenDay(calendarDay(at, "UTC").number) : written().format(at);
  };
  const word = (at: Date, now: Date): string | null => words[calendarDay(now, "UTC").number - calendarDay(at, "UTC").number] ?? null;
  return {
    day,
    word,
    words,
    label: (at, now) => word(at, now) ?? day(at),
    exact: (at) => `${exact().format(at)} UTC`,
    month: (text) => month().format(new Date(`${text}-01T00:00:00Z`)),
  };
}

function lastDays(tag: string): string[] {
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: "auto" });
  return [0, -1, -2].map((days) => {
    const [first = "", ...rest] = relative.format(days, "day");
    return first.toLocaleUpperCase(tag) + rest.join("");
  });
}
