import { type Analytics, analyticsPost, type AnalyticsTable, analyticsTotals } from "./analytics.ts";
import { csvLine } from "./csv.ts";

const named = ["name", "count"];

export const analyticsColumns: Readonly<Record<AnalyticsTable, readonly string[]>> = {
  days: ["day", ...Object.keys(analyticsTotals.shape)],
  posts: Object.keys(analyticsPost.shape),
  sources: ["source", "views"],
  ...{ referrers: named, searches: named, countries: named, languages: named },
};

export function analyticsCsv(analytics: Analytics, table: AnalyticsTable): string {
  const columns = analyticsColumns[table];
  const rows: readonly object[] = analytics[table];
  const cellsOf = (row: object) => columns.map((column) => String((row as Record<string, string | number | null>)[column] ?? ""));
  return [columns, ...rows.map(cellsOf)].map(csvLine).join("");
}
