import { type AnalyticsTotals, type CountSource, otherName } from "#contract/analytics.ts";

/** Figures that can be charted, in display order. */
export const chartedFigures = ["views", "readers", "widget_opens", "clicks"] as const satisfies readonly (keyof AnalyticsTotals)[];
export type ChartedFigure = (typeof chartedFigures)[number];

export const figureLabels: Readonly<Record<ChartedFigure, { name: string; one: string; many: string }>> = {
  views: { name: "Views", one: "view", many: "views" },
  readers: { name: "Readers", one: "reader", many: "readers" },
  widget_opens: { name: "Widget opens", one: "widget open", many: "widget opens" },
  clicks: { name: "Clicks", one: "click", many: "clicks" },
};

export const formatNumber = (value: number): string => value.toLocaleString();

/** "1 view", "1,234 views" */
export const formatCount = (value: number, { one, many }: { one: string; many: string }): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`;

export const sourceLabels: Readonly<Record<CountSource, string>> = {
  page: "Your page",
  widget: "The widget",
  mail: "Email",
  feed: "Feeds",
  chat: "Chat messages",
  api: "API",
};

/** Host or search term; the rest is summed up. */
export const displayName = (name: string): string => (name === otherName ? "All others" : name);

/** Localized names: "DE" is Germany. Unknown codes stay. */
export function codeNames(type: "region" | "language"): (code: string) => string {
  const names = new Intl.DisplayNames(undefined, { type });
  return (code) => {
    if (code === otherName) return displayName(code);
    try {
      return names.of(code) ?? code;
    } catch {
      return code;
    }
  };
}
