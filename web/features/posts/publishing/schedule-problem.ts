import { scheduleReachYears } from "#contract/limits.ts";
import { latestTime, publishTime } from "#contract/rules/schedule.ts";
import type { Notice } from "../../session/write.ts";

/** The error for a date and time that can't be scheduled, or null. Source: specification, section 5. */
export function scheduleProblem(day: string, time: string, now: Date): Notice | null {
  const chosen = publishTime(day, time);
  if (chosen === null) return { title: "Please select a date and time", description: "Both date and time are required for scheduling" };
  if (Date.parse(chosen) <= now.getTime()) return { title: "This time has already passed", description: "Choose a later date or time" };
  return Date.parse(chosen) <= latestTime(now).getTime()
    ? null
    : { title: "This date is too far in the future", description: `Choose a time within the next ${scheduleReachYears} years` };
}
