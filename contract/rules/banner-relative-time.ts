import { relativeTime } from "./relative-time.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** 'in 5 minutes', '2 hours ago', 'in 3 days'; under a minute ago 'Just now'. Source: specification, section 4. */
export function bannerRelativeTime(at: string | Date, now: Date): string {
  const distance = new Date(at).getTime() - now.getTime();
  const size = Math.abs(distance);
  if (distance <= 0 && size < minute) return relativeTime(at, now);
  // Rounds before choosing the unit, so 59 min 59 s is an hour.
  const minutes = Math.max(1, Math.round(size / minute));
  const hours = Math.round(size / hour);
  const [count, unit] = minutes < 60 ? [minutes, "minute"] : hours < 24 ? [hours, "hour"] : [Math.round(size / day), "day"];
  const words = `${count} ${unit}${count === 1 ? "" : "s"}`;
  return distance > 0 ? `in ${words}` : `${words} ago`;
}
