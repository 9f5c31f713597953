import { profileEndpoints } from "#contract/profile.ts";
import { call } from "../../lib/api-client.ts";

/** `YYYY-MM-DD` of this browser's time zone. */
const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

/** The day thirty days ago, from which access is shown at first. */
export const firstDay = (now = new Date()): string => dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 30));

/** The day's first moment here; undefined while it isn't a day. */
export function startOf(day: string): string | undefined {
  const date = new Date(`${day}T00:00`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** True if something that was made lately acts for the person. False without an answer: the settings link to the page. */
export async function hasRecentAccess(): Promise<boolean> {
  try {
    const { access } = await call(profileEndpoints.access, { query: { since: startOf(firstDay())! } });
    return access.length > 0;
  } catch {
    return false;
  }
}
