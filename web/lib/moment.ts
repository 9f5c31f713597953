/** A point in time in the reader's zone and language, by the clock of 24 hours as everywhere: "Nov 20, 2026, 09:00". */
export function moment(time: string | Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }).format(new Date(time));
}

/** Its day alone: "Nov 20, 2026". */
export const day = (time: string): string => new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(new Date(time));

/** The browser's time zone as people know it, e.g. "Europe/Berlin". */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
