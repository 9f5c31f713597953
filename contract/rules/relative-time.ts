const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const units = [
  [365 * day, "year"],
  [30 * day, "month"],
  [7 * day, "week"],
  [day, "day"],
  [hour, "hour"],
] as const;

/** "Just now" (also for future times), "5 min ago", "1 hour ago", "3 weeks ago". Source: specification, section 9. */
export function relativeTime(at: string | Date, now: Date): string {
  const passed = now.getTime() - new Date(at).getTime();
  if (!(passed >= minute)) return "Just now";
  if (passed < hour) return `${Math.floor(passed / minute)} min ago`;
  const [size, unit] = units.find(([size]) => passed >= size) ?? units[units.length - 1]!;
  const count = Math.floor(passed / size);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
