import { type AnalyticsDay, type AnalyticsTotals, analyticsUsualDays } from "#contract/analytics.ts";
import { addDays, lastDays, toDay } from "./range.ts";
import { Report } from "./report.tsx";

/** The report with invented numbers, behind the offer of the add-on. */
export function SampleReport() {
  const today = toDay(Date.now());
  const { from, to } = lastDays(analyticsUsualDays, today);
  const days = Array.from({ length: analyticsUsualDays }, (_, index) => sampleDay(addDays(from, index)));
  const data = {
    ...{ from, to, days, totals: sampleTotals(days, 1), previous: sampleTotals(days, 0.8), since: null },
    posts: [samplePost("Dark mode", 412), samplePost("Faster exports", 287), samplePost("Single sign-on", 190)],
    sources: [
      { source: "page" as const, views: 540 },
      { source: "widget" as const, views: 231 },
      { source: "mail" as const, views: 118 },
    ],
    referrers: [
      { name: "google.com", count: 96 },
      { name: "news.ycombinator.com", count: 41 },
    ],
    searches: [{ name: "webhooks", count: 7 }],
    countries: [
      { name: "US", count: 210 },
      { name: "DE", count: 124 },
    ],
    languages: [
      { name: "en", count: 301 },
      { name: "de", count: 98 },
    ],
  };
  return (
    <div inert>
      <Report workspaceId="" data={data} stale={false} show="views" today={today} onShow={() => undefined} />
    </div>
  );
}

function sampleDay(day: string): AnalyticsDay {
  const date = new Date(day);
  const isWeekend = date.getUTCDay() % 6 === 0;
  const views = (isWeekend ? 14 : 30) + ((date.getUTCDate() * 7) % 19);
  return {
    ...{ day, views, readers: Math.round(views * 0.6), widget_opens: Math.round(views * 0.3), clicks: Math.round(views * 0.15) },
    ...{ widget_shown: views * 3, mails_sent: 8, mails_followed: 4, subscribed: 1, left: 0 },
  };
}

function sampleTotals(days: AnalyticsDay[], factor: number): AnalyticsTotals {
  const total = (name: keyof AnalyticsTotals) => Math.round(days.reduce((sum, day) => sum + day[name], 0) * factor);
  return {
    ...{ views: total("views"), readers: total("readers"), widget_opens: total("widget_opens"), clicks: total("clicks") },
    ...{ widget_shown: total("widget_shown"), mails_sent: total("mails_sent"), mails_followed: total("mails_followed") },
    ...{ subscribed: total("subscribed"), left: total("left") },
  };
}

const samplePost = (title: string, views: number) => ({
  ...{ id: title, title, slug: null, published_at: null, views, widget_opens: Math.round(views * 0.3) },
  ...{ clicks: Math.round(views * 0.1), mails_sent: 240, mails_followed: Math.round(views * 0.2) },
});
