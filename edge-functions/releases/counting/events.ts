import type { CountSource } from "#contract/analytics.ts";

/** Hashed in the database with a daily salt. */
export interface Reader {
  address: string;
  agent: string;
  country?: string | undefined;
  language?: string | undefined;
}

export interface CountEvent extends Reader {
  what:
    | "view"
    | "widget_shown"
    | "widget_open"
    | "link_click"
    | "referrer"
    | "search_none"
    | `placement_${"shown" | "dismissed" | "clicked"}`;
  subdomain: string;
  slug?: string | undefined;
  source?: CountSource;
  name?: string;
}
