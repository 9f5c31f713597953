import { z } from "zod";
import type { HtmlNode } from "./blocks/html-tree.ts";
import { id, time } from "./fields.ts";
import { completeWidgetSettings } from "./widget-settings.ts";

/** What the world may read of a workspace and its releases, as JSON. Addresses are absolute; times ISO 8601 in UTC. */
export const publicWorkspace = z.object({
  name: z.string(),
  subdomain: z.string(),
  /** The list of releases as a page. */
  url: z.string(),
  website: z.string().nullable(),
  logo_url: z.string().nullable(),
});

export const releaseImage = z.object({ url: z.string(), alt: z.string(), width: z.int().optional(), height: z.int().optional() });

export const releaseSummary = z.object({
  /** Stays when title, address or content change. */
  id,
  title: z.string(),
  slug: z.string(),
  url: z.string(),
  excerpt: z.string(),
  tags: z.array(z.string()),
  author_name: z.string().nullable(),
  /** The first image of the post. */
  image: releaseImage.nullable(),
  published_at: time,
  updated_at: time,
});
export type ReleaseSummary = z.infer<typeof releaseSummary>;

/** GET /releases.json?page=&limit= with one of q=, month=YYYY-MM, tag= */
export const releaseList = z.object({
  workspace: publicWorkspace,
  releases: z.array(releaseSummary),
  pagination: z.object({ page: z.int(), pages: z.int(), total: z.int() }),
});
export type ReleaseList = z.infer<typeof releaseList>;

/** GET /releases/{slug}.json */
export const releaseAnswer = z.object({
  workspace: publicWorkspace,
  release: releaseSummary.extend({ content_html: z.string(), content_text: z.string() }),
});
export type ReleaseAnswer = z.infer<typeof releaseAnswer>;

/** GET /releases/widget.json?workspace=: all that a widget shows, in one answer; fields that the settings switch off are null. */
export const widgetData = z.object({
  /** `mails`: readers can subscribe by mail, at `url`/subscribe.html. */
  workspace: publicWorkspace.pick({ name: true, url: true }).extend({ mails: z.boolean() }),
  settings: completeWidgetSettings,
  posts: z.array(
    releaseSummary
      .pick({
        id: true,
        title: true,
        slug: true,
        url: true,
        excerpt: true,
        author_name: true,
        image: true,
      })
      // Of a post that an import published with a sign and two zeros before the year (`+002026-01-31T…`): a browser has read it elsewhere.
      .extend({ published_at: z.union([time, z.string().regex(/^\+00\d{4}-\d\d-\d\dT[\d:.]+Z$/)]) }),
  ),
});
export type WidgetData = z.infer<typeof widgetData>;

const htmlNode: z.ZodType<HtmlNode> = z.lazy(() =>
  z.union([z.string(), z.tuple([z.string(), z.record(z.string(), z.string())]).rest(htmlNode)]),
);

/** GET /releases/{slug}.widget.json?workspace=: what the widget shows of a post that is opened in its panel. */
export const widgetPost = z.object({ content: z.array(htmlNode) });
export type WidgetPost = z.infer<typeof widgetPost>;
