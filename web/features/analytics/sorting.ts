import type { AnalyticsPost } from "#contract/analytics.ts";

export const columns = ["title", "views", "widget_opens", "clicks", "mails_sent", "mails_followed"] as const;
export type Column = (typeof columns)[number];

export interface Sorting {
  by: Column;
  /** The largest first, or from Z to A. */
  descending: boolean;
}

/** Numbers begin with the largest, titles with A; the same column again turns it round. */
export const nextSorting = (now: Sorting, by: Column): Sorting =>
  now.by === by ? { by, descending: !now.descending } : { by, descending: by !== "title" };

/** Posts in order; equals keep theirs, and what is gone stands last of all. */
export function sorted(posts: readonly AnalyticsPost[], { by, descending }: Sorting): AnalyticsPost[] {
  const compare = by === "title" ? byTitle : (a: AnalyticsPost, b: AnalyticsPost) => a[by] - b[by];
  const sign = descending ? -1 : 1;
  return posts.toSorted((a, b) => Number(a.id === null) - Number(b.id === null) || sign * compare(a, b));
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const byTitle = (a: AnalyticsPost, b: AnalyticsPost): number => collator.compare(a.title, b.title);
