import { z } from "zod";
import { themes } from "./appearance-choices.ts";
import { endpoint } from "./endpoint.ts";
import { id, time } from "./fields.ts";
import { roles, writers } from "./kinds.ts";
import { fullNameMaxLength, titleMaxLength } from "./limits.ts";
import { content, optionalFields } from "./posts.ts";
import { widgetData, type WidgetPost } from "./releases.ts";
import { sentEmail } from "./subscribers.ts";

export const previewInput = z.object({
  post_id: id.optional(),
  title: z
    .string()
    .trim()
    .max(titleMaxLength, { error: `The title can have at most ${titleMaxLength} characters` }),
  ...optionalFields,
  blocks: content,
  /** For imports: publication date, and author (null: none). */
  published_at: time.optional(),
  author: z.string().trim().max(fullNameMaxLength).nullish(),
});
export type PreviewInput = z.input<typeof previewInput>;

/** `theme` of the page; `system`: the reader's choice. */
export const postPreview = z.object({
  theme: z.enum(themes),
  page: z.string(),
  email: z.object({ subject: z.string(), html: z.string() }),
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
  post: endpoint("POST /api/workspaces/{workspaceId}/posts/preview", {
    summary: "Preview a post as readers would see it, saved or not; nothing is stored",
    access: roles,
    limit: "preview",
    carriesContent: true,
    body: previewInput,
    response: postPreview,
  }),
  testEmail: endpoint("POST /api/workspaces/{workspaceId}/posts/preview/email", {
    summary: "Email a post to yourself as subscribers would get it, saved or not; nothing is stored",
    access: writers,
    limit: "testMail",
    carriesContent: true,
    body: previewInput,
    response: sentEmail,
  }),
  picture: endpoint("GET /api/workspaces/{workspaceId}/posts/preview/picture", {
    summary: "Draw the social image for a title; nothing is stored",
    access: roles,
    limit: "preview",
    query: z.object({
      title: z
        .string()
        .trim()
        .max(titleMaxLength, { error: `The title can have at most ${titleMaxLength} characters` }),
      published_at: z.iso.datetime({ offset: true, error: "Please give a time as 2026-03-03T10:00:00Z" }).optional(),
    }),
    download: "image/png",
    response: z.string(),
  }),
} as const;
