/** Local date and time, 24-hour clock: "Nov 20, 2026, 09:00". */
export function moment(time: string | Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }).format(new Date(time));
}

export const day = (time: string): string => new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(new Date(time));

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
