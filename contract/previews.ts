import { z } from "zod";
import { coverImage } from "./covers.ts";
import { endpoint } from "./endpoint.ts";
import { id, time } from "./fields.ts";
import { roles } from "./kinds.ts";
import { fullNameMaxLength, titleMaxLength } from "./limits.ts";
import { content, summary, tags } from "./posts.ts";
import { widgetData, type WidgetPost } from "./releases.ts";

/** What is on a writer's screen, saved or not. */
export const previewInput = z.object({
  /** The post it becomes a version of; absent for one that was never saved. */
  post_id: id.optional(),
  title: z
    .string()
    .trim()
    .max(titleMaxLength, { error: `The title can have at most ${titleMaxLength} characters` }),
  summary,
  tags: tags.optional(),
  cover_image: coverImage.optional(),
  blocks: content,
  /** Of a post that comes from elsewhere: when it was news there, or will be here; and who wrote it, null for nobody. */
  published_at: time.optional(),
  author: z.string().trim().max(fullNameMaxLength).nullish(),
});
export type PreviewInput = z.input<typeof previewInput>;

/** A post as readers would see it: the whole public page, the widget's data with this post, and what a link to it becomes elsewhere. */
export const postPreview = z.object({
  page: z.string(),
  /** `post` as the widget reads it when it is opened in its panel (contract/releases.ts, widgetPost). */
  widget: z.object({ data: widgetData, post: z.custom<WidgetPost>((value) => typeof value === "object" && value !== null) }),
  card: z.object({
    host: z.string(),
    url: z.string(),
    title: z.string(),
    description: z.string(),
    image: z.object({ url: z.string(), alt: z.string(), large: z.boolean() }).nullable(),
  }),
});
export type PostPreview = z.infer<typeof postPreview>;

export const previewEndpoints = {
  post: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/posts/preview",
    summary: "How readers would see a post, saved or not; nothing of it is kept or public",
    access: roles,
    limit: "preview",
    carriesContent: true,
    params: z.object({ workspaceId: id }),
    body: previewInput,
    status: 200,
    response: postPreview,
  }),
  picture: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/posts/preview/picture",
    summary: "The picture that a link to a post of this title would have, drawn for who asks and not kept",
    access: roles,
    limit: "preview",
    params: z.object({ workspaceId: id }),
    query: z.object({
      title: z
        .string()
        .trim()
        .max(titleMaxLength, { error: `The title can have at most ${titleMaxLength} characters` }),
      published_at: z.iso.datetime({ offset: true, error: "Please give a time as 2026-03-03T10:00:00Z" }).optional(),
    }),
    download: "image/png",
    status: 200,
    response: z.string(),
  }),
} as const;
