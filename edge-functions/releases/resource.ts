import type { Bytes } from "../_shared/base64.ts";
import type { PublicWorkspace } from "./queries/releases.ts";
import type { Contents } from "./contents.ts";
import type { LinkPictures } from "./link-pictures.ts";
import type { Sql } from "./queries/database.ts";
import type { Site } from "./site.ts";

/** A request whose workspace is known to be public. */
export interface Reading {
  sql: Sql;
  contents: Contents;
  pictures: LinkPictures;
  workspace: PublicWorkspace;
  site: Site;
  path: string;
  query: URLSearchParams;
  now: Date;
  /** The reader comes from another page of the same site: its typeface is here. */
  isNear: boolean;
  /** Where the posts of this workspace are written, for those who may be its writers; null for everybody else. */
  editor: string | null;
}

/**
 * The text or the bytes of an answer (with the id of the post it is about, headers, and the term when it is a search that found nothing), where
 * to go instead, or null: there is nothing.
 */
export type Outcome =
  | { text: string | Bytes; post?: string; headers?: Record<string, string>; missed?: string | undefined }
  | { moved: string }
  | null;

/** Something that can be read: `type` is its content type, `read` makes it. */
export interface Resource {
  type: string;
  /** What of the query decides its answer; everything else in it is nobody's business and makes no second copy. */
  parameters?: readonly string[];
  /** For the widget: pages of the workspace's allowed origins may read it, and of no other. */
  crossOrigin?: true;
  /** About the pages of one host: read at another, it leads there as they do. */
  forHosts?: true;
  /** Asked for by a page that shows the widget. */
  showsWidget?: true;
  /** A page whose copy as Markdown stands at its address with ".md", and is sent at its own to who asks for that. */
  hasMarkdown?: true;
  /** For machines alone: at its own address it is in no search engine's results. */
  unindexed?: true;
  /** It may change while nothing else that readers see does: it is read again each time. */
  unkept?: true;
  read(reading: Reading): Promise<Outcome> | Outcome;
}

/** What of a query decides what a list shows. */
export const listParameters = ["page", "limit", "tag", "q", "month"] as const;

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
