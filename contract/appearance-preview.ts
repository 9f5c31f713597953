import { z } from "zod";
import { appearanceChoices } from "./appearance.ts";
import { endpoint } from "./endpoint.ts";
import { roles } from "./kinds.ts";
import { widgetData } from "./releases.ts";

export const appearancePreview = z.object({
  page: z.string(),
  widget: widgetData,
  sample: z.boolean(),
});
export type AppearancePreview = z.infer<typeof appearancePreview>;

export const appearancePreviewEndpoints = {
  preview: endpoint("POST /api/workspaces/{workspaceId}/appearance/preview", {
    summary: "Preview page and widget with unsaved choices; nothing is stored",
    access: roles,
    limit: "lookPreview",
    body: appearanceChoices.partial(),
    response: appearancePreview,
  }),
} as const;
