import { describe, expect, test } from "vitest";
import { type Analytics, analyticsTables } from "./analytics.ts";
import { analyticsColumns, analyticsCsv } from "./analytics-csv.ts";
import { fromCell, parseCsv } from "./csv.ts";

const totals = {
  views: 3,
  readers: 2,
  widget_opens: 1,
  clicks: 4,
  widget_shown: 5,
  mails_sent: 6,
  mails_followed: 7,
  subscribed: 8,
  left: 9,
};
const post = {
  slug: "a",
  published_at: "2026-11-01T09:00:00.000Z",
  views: 3,
  widget_opens: 1,
  clicks: 4,
  mails_sent: 6,
  mails_followed: 7,
};
const analytics: Analytics = {
  ...{ from: "2026-11-22", to: "2026-11-23", totals, previous: totals, since: "2026-11-22" },
  days: [
    { day: "2026-11-22", ...totals },
    { day: "2026-11-23", ...totals, views: 0 },
  ],
  posts: [
    { id: "6f1d2c8e-8f0a-4a7e-9d0c-6f3b1f0f5a01", title: '=HYPERLINK("http://evil.example","x")', ...post },
    { id: null, title: "Deleted posts", ...post, slug: null, published_at: null },
  ],
  sources: [{ source: "page", views: 3 }],
  referrers: [{ name: "news.example", count: 2 }],
  searches: [
    { name: "+49 30", count: 2 },
    { name: "a, b\nc", count: 1 },
  ],
  countries: [{ name: "DE", count: 5 }],
  languages: [{ name: "de", count: 5 }],
};
const cells = (file: string) => [...parseCsv(file)].map((record) => record.cells);

describe("a table as a CSV file", () => {
  test.each(analyticsTables)("%s has every row and field, named as in the JSON", (table) => {
    const [head, ...rows] = cells(analyticsCsv(analytics, table));
    expect(head).toEqual(analyticsColumns[table]);
    expect(head!.toSorted()).toEqual(Object.keys(analytics[table][0]!).toSorted());
    expect(rows.map((row) => Object.fromEntries(row.map((cell, place) => [head![place], fromCell(cell)])))).toEqual(
      analytics[table].map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? "")]))),
    );
  });

  test("starts with the day, or the post's description", () => {
    expect(analyticsCsv(analytics, "days").split("\r\n").slice(0, 2)).toEqual([
      "day,views,readers,widget_opens,clicks,widget_shown,mails_sent,mails_followed,subscribed,left",
      "2026-11-22,3,2,1,4,5,6,7,8,9",
    ]);
    expect(analyticsCsv(analytics, "posts")).toMatch(/^id,title,slug,published_at,views,widget_opens,clicks,mails_sent,mails_followed\r\n/);
  });

  test("contains no spreadsheet formulas", () => {
    expect(cells(analyticsCsv(analytics, "posts"))[1]![1]).toBe(`'=HYPERLINK("http://evil.example","x")`);
    expect(cells(analyticsCsv(analytics, "searches"))[1]).toEqual(["'+49 30", "2"]);
  });

  test("has only a header without rows", () => {
    expect(analyticsCsv({ ...analytics, countries: [] }, "countries")).toBe("name,count\r\n");
  });
});
