import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { writers } from "./kinds.ts";

export const previewDaysMax = 30;
export const previewDaysDefault = 7;
const daysSentence = `Please choose 1 to ${previewDaysMax} days`;

export const previewLink = z.object({
  id,
  created_at: time,
  created_by_name: z.string().nullable(),
  expires_at: time,
  allows_comments: z.boolean(),
  url: z.string(),
});
export type PreviewLink = z.infer<typeof previewLink>;

export const previewLinkInput = z.object({
  days: z
    .int({ error: daysSentence })
    .min(1, { error: daysSentence })
    .max(previewDaysMax, { error: daysSentence })
    .default(previewDaysDefault),
  allows_comments: z.boolean().default(false),
});

const path = "/api/posts/{id}/preview-links";

export const previewLinkEndpoints = {
  list: endpoint(`GET ${path}`, {
    summary: "List a post's active preview links, newest first",
    access: writers,
    response: z.object({ links: z.array(previewLink) }),
  }),
  create: endpoint(`POST ${path}`, {
    summary: "Create a link that shows a draft or scheduled post to anyone, as on the public page",
    access: writers,
    limit: "previewLink",
    body: previewLinkInput,
    status: 201,
    response: z.object({ link: previewLink }),
    errors: ["archived_post_locked"],
  }),
  revoke: endpoint(`DELETE ${path}/{linkId}`, {
    summary: "Revoke a preview link at once",
    access: writers,
    response: success,
  }),
} as const;
