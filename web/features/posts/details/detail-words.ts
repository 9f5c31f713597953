import { type PostDetails, productOf } from "#contract/rules/post-details.ts";
import type { Placement, Surface } from "#contract/rules/placement.ts";
import { publishTime, scheduleOf } from "#contract/rules/schedule.ts";
import { day } from "../../../lib/moment.ts";
import { audienceWords } from "./audience-rows.ts";

/** The last day before a time, local, such as `2026-12-03`; empty for null. */
export const lastDayOf = (time: string | null): string => (time === null ? "" : scheduleOf(new Date(Date.parse(time) - 1)).day);

/** The end of a local day; null for an empty or impossible one. */
export function endOfDay(day: string): string | null {
  const start = publishTime(day, "00:00");
  if (start === null) return null;
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}

export const surfaceLabels: Readonly<Record<Surface, string>> = {
  "banner-top": "Banner at the top",
  "banner-bottom": "Banner at the bottom",
  modal: "Modal",
  toast: "Toast",
  spotlight: "Spotlight",
  inline: "Inline",
};

const dayWords = (time: string): string => day(new Date(Date.parse(time) - 1).toISOString());

const placementWords = ({ surface, selector, push, from, until, again }: Placement): string =>
  [
    [surfaceLabels[surface], selector].filter(Boolean).join(" "),
    push ? "moves the page down" : "",
    from ? `from ${day(from)}` : "",
    until ? `through ${dayWords(until)}` : "",
    again === "never" ? "" : again === "session" ? "in each session" : `again after ${again} ${again === 1 ? "day" : "days"}`,
  ]
    .filter((words) => words !== "")
    .join(", ");

/** One text for each detail that is set. */
export function detailWords(details: PostDetails): string[] {
  const { pinned_until: pin, expires_at: end, button, breaking, security, placement, audience } = details;
  return [
    productOf(details),
    breaking ? "Breaking change" : "",
    security ? "Security" : "",
    pin ? `Pinned through ${dayWords(pin)}` : "",
    end ? `In the widget through ${dayWords(end)}` : "",
    button ? `${button.text}: ${button.url}` : "",
    placement ? placementWords(placement) : "",
    audience ? audienceWords(audience) : "",
  ].filter((words) => words !== "");
}
