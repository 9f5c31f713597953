import { z } from "zod";
import type { HtmlNode } from "./blocks/html-tree.ts";
import { publicDetails } from "./details.ts";
import { id, time } from "./fields.ts";
import { locales } from "./locales.ts";
import { completeWidgetSettings } from "./widget-settings.ts";

/** Public JSON. URLs are absolute; times ISO 8601 in UTC. */
export const publicWorkspace = z.object({
  name: z.string(),
  subdomain: z.string(),
  url: z.string(),
  website: z.string().nullable(),
  logo_url: z.string().nullable(),
});

export const releaseImage = z.object({ url: z.string(), alt: z.string(), width: z.int().optional(), height: z.int().optional() });

export const releaseSummary = z.object({
  /** Stable when title, URL or content change. */
  id,
  title: z.string(),
  slug: z.string(),
  url: z.string(),
  excerpt: z.string(),
  tags: z.array(z.string()),
  author_name: z.string().nullable(),
  image: releaseImage.nullable(),
  published_at: time,
  updated_at: time,
  ...publicDetails.shape,
});
export type ReleaseSummary = z.infer<typeof releaseSummary>;

/** GET /releases.json?page=&limit= with one of q=, month=YYYY-MM, tag=, since= (with until=, component=) */
export const releaseList = z.object({
  workspace: publicWorkspace,
  releases: z.array(releaseSummary),
  pagination: z.object({ page: z.int(), pages: z.int(), total: z.int() }),
  /** With `since`: what changed after that version, on all pages. `text`: the same in the page's language. */
  changes: z
    .object({
      ...{ versions: z.int(), posts: z.int(), breaking: z.int(), security: z.int() },
      latest: z.string().nullable(),
      text: z.string(),
    })
    .optional(),
});
export type ReleaseList = z.infer<typeof releaseList>;

/** GET /releases/{slug}.json */
export const releaseAnswer = z.object({
  workspace: publicWorkspace,
  release: releaseSummary.extend({ content_html: z.string(), content_text: z.string() }),
});
export type ReleaseAnswer = z.infer<typeof releaseAnswer>;

export const widgetSpeech = z.object({
  locale: z.enum(locales),
  dir: z.enum(["ltr", "rtl"]),
  words: z.object({
    whatsNew: z.string(),
    latest: z.string(),
    close: z.string(),
    none: z.string(),
    all: z.string(),
    mails: z.string(),
    back: z.string(),
    asPage: z.string(),
    unread: z.array(z.string()),
    days: z.array(z.string()),
  }),
  /** Generated CSS from validated values: accessible colours, a font. */
  style: z.string(),
  fonts: z.array(z.object({ family: z.string(), url: z.string(), range: z.string(), style: z.string() })),
});
export type WidgetSpeech = z.infer<typeof widgetSpeech>;

const widgetPostSummary = releaseSummary
  .pick({
    id: true,
    title: true,
    slug: true,
    url: true,
    excerpt: true,
    author_name: true,
    image: true,
  })
  .extend({ date: z.string() })
  // Imported posts can have an expanded year (`+002026-01-31T…`), which browsers parse differently.
  .extend({ published_at: z.union([time, z.string().regex(/^\+00\d{4}-\d\d-\d\dT[\d:.]+Z$/)]) });

/** GET /releases/widget.json?workspace=: everything the widget shows; fields turned off in the settings are null. */
export const widgetData = z.object({
  /** `mails`: readers can subscribe at `url`/subscribe.html. */
  workspace: publicWorkspace.pick({ name: true, url: true }).extend({ mails: z.boolean() }),
  settings: completeWidgetSettings,
  ...widgetSpeech.shape,
  posts: z.array(widgetPostSummary),
  /** Posts shown outside the panel, newest first. */
  placed: z.array(widgetPostSummary.extend(publicDetails.pick({ button: true, placement: true }).shape)),
  /** Page of what changed since the reader's version; null without one or changes. */
  changes_url: z.string().nullable(),
});
export type PlacedPost = WidgetData["placed"][number];
export type WidgetData = z.infer<typeof widgetData>;

const htmlNode: z.ZodType<HtmlNode> = z.lazy(() =>
  z.union([z.string(), z.tuple([z.string(), z.record(z.string(), z.string())]).rest(htmlNode)]),
);

/** GET /releases/{slug}.widget.json?workspace=: content for the widget's panel. */
export const widgetPost = z.object({ content: z.array(htmlNode) });
export type WidgetPost = z.infer<typeof widgetPost>;

/** POST /releases/widget.json?workspace= with a reader's token. `content`: of a post that isn't for everyone, which has no page. */
const { posts, placed } = widgetData.shape;
const ownContent = { content: widgetPost.shape.content.optional() };
export const identifiedWidgetData = widgetData.extend({
  posts: z.array(posts.element.extend(ownContent)),
  placed: z.array(placed.element.extend(ownContent)),
  /** Time of the newest post that the reader has seen on any device; null: none yet. Only if the workspace remembers it. */
  seen_up_to: time.nullish(),
});
export type IdentifiedWidgetData = z.infer<typeof identifiedWidgetData>;
