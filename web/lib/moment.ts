import { once } from "#contract/rules/once.ts";

/** Formatters are created once and on use: each takes several milliseconds on a phone. */
const formatter = (options: Intl.DateTimeFormatOptions) => {
  const made = once(() => new Intl.DateTimeFormat(undefined, options));
  return (time: string | Date): string => made().format(new Date(time));
};

/** Local date and time, 24-hour clock: "Nov 20, 2026, 09:00". */
export const moment = formatter({ dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });

export const day: (time: string) => string = formatter({ dateStyle: "medium" });

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
