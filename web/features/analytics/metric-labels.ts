import { type AnalyticsTotals, type CountSource, otherName } from "#contract/analytics.ts";

/** The numbers that can be drawn, in the order in which they stand on the page. */
export const drawn = ["views", "readers", "widget_opens", "clicks"] as const satisfies readonly (keyof AnalyticsTotals)[];
export type Drawn = (typeof drawn)[number];

export const drawnWords: Readonly<Record<Drawn, { name: string; one: string; many: string }>> = {
  views: { name: "Views", one: "view", many: "views" },
  readers: { name: "Readers", one: "reader", many: "readers" },
  widget_opens: { name: "Widget opens", one: "widget open", many: "widget opens" },
  clicks: { name: "Clicks", one: "click", many: "clicks" },
};

export const number = (value: number): string => value.toLocaleString();

/** "1 view", "1,234 views". */
export const amount = (value: number, { one, many }: { one: string; many: string }): string =>
  `${number(value)} ${value === 1 ? one : many}`;

export const sourceWords: Readonly<Record<CountSource, string>> = {
  page: "Your page",
  widget: "The widget",
  mail: "Mails",
  feed: "Feed readers",
  chat: "Chat messages",
  api: "Other programs",
};

/** A host, a term; what is not named stands together. */
export const plainName = (name: string): string => (name === otherName ? "All others" : name);

/** What a code stands for in the reader's language: "DE" is Germany. What is no code stays as it is. */
export function namesOf(type: "region" | "language"): (code: string) => string {
  const names = new Intl.DisplayNames(undefined, { type });
  return (code) => {
    if (code === otherName) return plainName(code);
    try {
      return names.of(code) ?? code;
    } catch {
      return code;
    }
  };
}
