import { type Analytics, analyticsPost, type AnalyticsTable, analyticsTotals } from "./analytics.ts";
import { csvLine } from "./csv.ts";

const nameColumns = ["name", "count"];

export const analyticsColumns: Readonly<Record<AnalyticsTable, readonly string[]>> = {
  days: ["day", ...Object.keys(analyticsTotals.shape)],
  posts: Object.keys(analyticsPost.shape),
  sources: ["source", "views"],
  ...{ referrers: nameColumns, searches: nameColumns, countries: nameColumns, languages: nameColumns },
};

export function analyticsCsv(analytics: Analytics, table: AnalyticsTable): string {
  const columns = analyticsColumns[table];
  const rows: readonly object[] = analytics[table];
  const cellsOf = (row: object) => columns.map((column) => String((row as Record<string, string | number | null>)[column] ?? ""));
  return [columns, ...rows.map(cellsOf)].map(csvLine).join("");
}
