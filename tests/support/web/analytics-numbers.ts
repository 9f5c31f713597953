import {
  type Analytics,
  type AnalyticsDay,
  type AnalyticsTotals,
  analytics,
  daysIn,
  type PostAnalytics,
  postAnalytics,
} from "#contract/analytics.ts";
import { addDays } from "../../../web/features/analytics/range.ts";
import { ids } from "./fixtures.ts";

export const noTotals: AnalyticsTotals = {
  ...{ views: 0, readers: 0, widget_opens: 0, clicks: 0 },
  ...{ widget_shown: 0, mails_sent: 0, mails_followed: 0, subscribed: 0, left: 0 },
};

const countsOf = (index: number): AnalyticsTotals => ({
  ...{ views: 10 + (index % 7), readers: 6 + (index % 5), widget_opens: 4, clicks: index % 3 },
  ...{ widget_shown: 20, mails_sent: index % 10 === 0 ? 50 : 0, mails_followed: 1, subscribed: 2, left: index % 2 },
});

const sumOf = (days: readonly AnalyticsDay[]): AnalyticsTotals => {
  const names = Object.keys(noTotals) as (keyof AnalyticsTotals)[];
  return Object.fromEntries(names.map((name) => [name, days.reduce((sum, day) => sum + day[name], 0)])) as AnalyticsTotals;
};

export function someNumbers(from: string, to: string, changes: Partial<Analytics> = {}): Analytics {
  const days = Array.from({ length: daysIn(from, to) }, (_, index) => ({ day: addDays(from, index), ...countsOf(index) }));
  return analytics.parse({
    ...{ from, to, days, totals: sumOf(days), previous: noTotals, since: from },
    posts: [aPost(1, { title: "Faster exports", views: 300, clicks: 1 }), aPost(2, { title: "Dark mode", views: 20, clicks: 9 })],
    sources: [
      { source: "page", views: 250 },
      { source: "widget", views: 70 },
    ],
    referrers: [{ name: "news.example", count: 31 }],
    searches: [{ name: "single sign-on", count: 4 }],
    countries: [
      { name: "DE", count: 12 },
      { name: "other", count: 3 },
    ],
    languages: [{ name: "de", count: 9 }],
    ...changes,
  });
}

export const noNumbers = (from: string, to: string): Analytics => {
  const days = someNumbers(from, to).days.map(({ day }) => ({ day, ...noTotals }));
  const lists = { posts: [], sources: [], referrers: [], searches: [], countries: [], languages: [] };
  return someNumbers(from, to, { days, totals: noTotals, ...lists, since: null });
};

export const aPost = (number: number, changes: Partial<Analytics["posts"][number]> = {}): Analytics["posts"][number] => ({
  id: `44444444-4444-4444-8444-${String(number).padStart(12, "0")}`,
  title: `Post ${number}`,
  slug: `post-${number}`,
  published_at: "2026-01-05T09:00:00.000Z",
  ...{ views: 0, widget_opens: 0, clicks: 0, mails_sent: 0, mails_followed: 0 },
  ...changes,
});

export const postNumbers = (from: string, to: string): PostAnalytics => {
  const days = someNumbers(from, to).days.map(({ day, views }) => ({ day, views }));
  const views = days.reduce((sum, day) => sum + day.views, 0);
  return postAnalytics.parse({
    totals: {
      ...{ views, widget_opens: 21, clicks: 3, mails_sent: 240, mails_followed: 70 },
      ...{ placement_shown: 0, placement_dismissed: 0, placement_clicked: 0 },
    },
    days,
    sources: [{ source: "page", views }],
  });
};

export const askedDays = (path: string): { from: string; to: string } => {
  const query = new URLSearchParams(path.split("?")[1]);
  return { from: query.get("from")!, to: query.get("to")! };
};

export const withAnalytics = { add_ons: [{ add_on: "analytics", granted_at: "2026-01-05T09:00:00.000Z" }], requested: [], included: true };
export const analyticsAddress = `/workspace/${ids.acme}/analytics`;
