import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, time } from "./fields.ts";
import { roles } from "./kinds.ts";

/** `mail`, `feed`, `chat` and `api` come from `?via=` in the URL. Source: issue "analytics", design I. */
export const countSources = ["page", "widget", "mail", "feed", "chat", "api"] as const;
export type CountSource = (typeof countSources)[number];

export const analyticsMaxDays = 1_096;
export const otherName = "other";

const count = z.int().nonnegative();

export const utcDay = z.iso.date({ error: "Please use a day such as 2026-01-31" });

/**
 * `views`: once per reader, post and day. `readers`: once per workspace and day, so two days count twice (readers aren't tracked across
 * days). `widget_shown`, `widget_opens`: once per reader and day. `clicks`: links in posts read in the widget, once per reader, post and
 * day. `mails_followed`: views that came from an email.
 */
export const analyticsTotals = z.object({
  ...{ views: count, readers: count, widget_opens: count, clicks: count },
  ...{ widget_shown: count, mails_sent: count, mails_followed: count, subscribed: count, left: count },
});
export type AnalyticsTotals = z.infer<typeof analyticsTotals>;

export const analyticsDay = analyticsTotals.extend({ day: utcDay });
export type AnalyticsDay = z.infer<typeof analyticsDay>;

export const analyticsPost = z.object({
  id: id.nullable(),
  title: z.string(),
  slug: z.string().nullable(),
  published_at: time.nullable(),
  ...{ views: count, widget_opens: count, clicks: count, mails_sent: count, mails_followed: count },
});
export type AnalyticsPost = z.infer<typeof analyticsPost>;

const namedCounts = z.array(z.object({ name: z.string(), count }));

/** `days` has every day of the range, including days without numbers. `posts`: most viewed first. */
export const analytics = z.object({
  from: utcDay,
  to: utcDay,
  totals: analyticsTotals,
  previous: analyticsTotals,
  days: z.array(analyticsDay),
  posts: z.array(analyticsPost),
  sources: z.array(z.object({ source: z.enum(countSources), views: count })),
  /** Referring hosts, and searches that found nothing; most first. */
  referrers: namedCounts,
  searches: namedCounts,
  /** ISO 3166 codes from the CDN's header; those with fewer than five are summed up. Languages are primary tags such as "de". */
  countries: namedCounts,
  languages: namedCounts,
  since: utcDay.nullable(),
});
export type Analytics = z.infer<typeof analytics>;

export const postAnalytics = z.object({
  totals: analyticsPost
    .pick({ views: true, widget_opens: true, clicks: true, mails_sent: true, mails_followed: true })
    /** Once per reader and day. */
    .extend({ placement_shown: count, placement_dismissed: count, placement_clicked: count }),
  days: z.array(z.object({ day: utcDay, views: count })),
  sources: z.array(z.object({ source: z.enum(countSources), views: count })),
});
export type PostAnalytics = z.infer<typeof postAnalytics>;

const dayNumber = (day: string): number => Date.parse(day) / 86_400_000;

export const daysIn = (from: string, to: string): number => dayNumber(to) - dayNumber(from) + 1;

export const analyticsEnds = { from: utcDay.optional(), to: utcDay.optional() };

export function checkEnds(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  { addIssue }: Pick<z.RefinementCtx, "addIssue">,
): void {
  const refuse = (path: string, message: string) => addIssue({ code: "custom", path: [path], message });
  if (from === undefined || to === undefined) {
    if (from !== to) refuse(from === undefined ? "from" : "to", "Please give both days");
    return;
  }
  if (![from, to].every((day) => utcDay.safeParse(day).success)) return;
  if (from < "2000-01-01") refuse("from", "Please choose a day after 1999");
  else if (to > "2999-12-31") refuse("to", "Please choose a day before 3000");
  else if (to < from) refuse("to", "The last day must not be before the first");
  else if (daysIn(from, to) > analyticsMaxDays) refuse("from", "Please choose at most three years");
}

export const analyticsUsualDays = 30;

export interface DayRange {
  from: string;
  to: string;
}

export const lastDays = (days: number, to: string): DayRange => ({
  from: new Date(Date.parse(to) - (days - 1) * 86_400_000).toISOString().slice(0, 10),
  to,
});

export function rangeMeant({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date): DayRange {
  if (from !== undefined && to !== undefined) return { from, to };
  return lastDays(analyticsUsualDays, now.toISOString().slice(0, 10));
}

/** Both ends or neither; without them the last 30 days. */
export const analyticsRange = z.object(analyticsEnds).superRefine(checkEnds);

export const analyticsTables = ["days", "posts", "sources", "referrers", "searches", "countries", "languages"] as const;
export type AnalyticsTable = (typeof analyticsTables)[number];

export const analyticsEndpoints = {
  read: endpoint("GET /api/workspaces/{workspaceId}/analytics", {
    summary: "Analytics for a range of UTC days: views, referrers, searches and changes; needs the analytics add-on",
    access: roles,
    query: analyticsRange,
    response: analytics,
    errors: ["add_on_required"],
  }),
  post: endpoint("GET /api/workspaces/{workspaceId}/analytics/posts/{postId}", {
    summary: "Analytics for one post; needs the analytics add-on",
    access: roles,
    query: analyticsRange,
    response: postAnalytics,
    errors: ["add_on_required"],
  }),
  csv: endpoint("GET /api/workspaces/{workspaceId}/analytics.csv", {
    summary: "Download one analytics table as CSV",
    access: roles,
    limit: "export",
    query: z
      .object({ table: z.enum(analyticsTables, { error: "Please choose from the list" }).default("posts"), ...analyticsEnds })
      .superRefine(checkEnds),
    download: "text/csv",
    response: z.string(),
    errors: ["add_on_required"],
  }),
} as const;
