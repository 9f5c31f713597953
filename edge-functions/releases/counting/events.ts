import type { CountSource } from "#contract/analytics.ts";

/** Who has read, as far as it is looked at: the database makes a hash of address and browser, and forgets its salt with the day. */
export interface Reader {
  address: string;
  agent: string;
  country?: string | undefined;
  language?: string | undefined;
}

/** What is told to private.count_events. */
export interface CountEvent extends Reader {
  what: "view" | "widget_shown" | "widget_open" | "link_click" | "referrer" | "search_none";
  subdomain: string;
  /** Of the post that it is about. */
  slug?: string | undefined;
  source?: CountSource;
  /** A referrer's host, or the term that was searched for. */
  name?: string;
}
