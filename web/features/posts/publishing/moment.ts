/** A point in time in the reader's zone and language: "Nov 20, 2026, 9:00 AM". */
export function moment(time: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
}

/** The browser's time zone as people know it, e.g. "Europe/Berlin". */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
