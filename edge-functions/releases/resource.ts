import type { Bytes } from "../_shared/base64.ts";
import type { PublicWorkspace } from "./queries/releases.ts";
import type { Contents } from "./contents.ts";
import type { LinkPictures } from "./link-pictures.ts";
import type { Sql } from "./queries/database.ts";
import type { Site } from "./site.ts";

export interface Reading {
  sql: Sql;
  contents: Contents;
  pictures: LinkPictures;
  workspace: PublicWorkspace;
  site: Site;
  path: string;
  query: URLSearchParams;
  now: Date;
  isNear: boolean;
  editor: string | null;
  token: string | null;
}

export type Outcome =
  | { text: string | Bytes; post?: string; headers?: Record<string, string>; missed?: string | undefined }
  | { moved: string }
  | null;

export interface Resource {
  type: string;
  parameters?: readonly string[];
  crossOrigin?: true;
  open?: true;
  /** Host-specific: redirects to the page's own host. */
  forHosts?: true;
  showsWidget?: true;
  hasMarkdown?: true;
  unindexed?: true;
  /** Not cached: can change without a new version. */
  unkept?: true;
  /** How long images of private changelogs can be opened, at least; 1 by default. */
  imageDays?: number;
  read(reading: Reading): Promise<Outcome> | Outcome;
}

export const listParameters = ["page", "limit", "tag", "q", "month", "since", "until", "component"] as const;

export const types = {
  html: "text/html; charset=utf-8",
  json: "application/json; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
  text: "text/plain; charset=utf-8",
  xml: "application/xml; charset=utf-8",
  rss: "application/rss+xml; charset=utf-8",
  atom: "application/atom+xml; charset=utf-8",
  feed: "application/feed+json; charset=utf-8",
  svg: "image/svg+xml",
  gif: "image/gif",
  png: "image/png",
} as const;
