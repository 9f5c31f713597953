const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string | undefined): Intl.DateTimeFormat {
  const key = timeZone ?? "";
  const cached = formats.get(key);
  if (cached !== undefined) return cached;
  const formatter = new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric", month: "numeric", day: "numeric", calendar: "gregory" });
  formats.set(key, formatter);
  return formatter;
}

/** Calendar day in an IANA zone (default: the reader's). `number` counts days, for differences. */
export function calendarDay(at: Date, timeZone?: string): { year: number; month: number; day: number; number: number } {
  const part = Object.fromEntries(
    formatFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0 } = part;
  return { year, month, day, number: Date.UTC(year, month - 1, day) / 86_400_000 };
}
