import { profileEndpoints } from "#contract/profile.ts";
import { call } from "../../lib/api-client.ts";

/** `YYYY-MM-DD` in the browser's time zone. */
const toIsoDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

/** The default start: thirty days ago. */
export const defaultDay = (now = new Date()): string => toIsoDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 30));

/** Start of the day as ISO time; undefined if invalid. */
export function startOfDay(day: string): string | undefined {
  const date = new Date(`${day}T00:00`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** True if anything was created lately. False on errors: the page can still be opened from settings. */
export async function hasRecentAccess(): Promise<boolean> {
  try {
    const { access } = await call(profileEndpoints.access, { query: { since: startOfDay(defaultDay())! } });
    return access.length > 0;
  } catch {
    return false;
  }
}
