import { z } from "zod";
import { appearanceChoices } from "./appearance.ts";
import { endpoint } from "./endpoint.ts";
import { id } from "./fields.ts";
import { roles } from "./kinds.ts";
import { widgetData } from "./releases.ts";

/** The public page and the widget as they would look: the list as one document, and what a widget would be sent. */
export const appearancePreview = z.object({
  page: z.string(),
  widget: widgetData,
  /** Nothing is published yet: what is shown is a post of ours. */
  sample: z.boolean(),
});
export type AppearancePreview = z.infer<typeof appearancePreview>;

export const appearancePreviewEndpoints = {
  preview: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/appearance/preview",
    summary: "How page and widget would look with choices that are not saved; nothing of it is kept or public",
    access: roles,
    limit: "lookPreview",
    params: z.object({ workspaceId: id }),
    body: appearanceChoices.partial(),
    status: 200,
    response: appearancePreview,
  }),
} as const;
