import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { managers, roles } from "./kinds.ts";
import type { WidgetSettings } from "./widget-choices.ts";
import { widgetSettings } from "./widget-settings.ts";

const saveInput: z.ZodType<{ settings: WidgetSettings }, { settings: WidgetSettings } | WidgetSettings> = z.preprocess(
  (value) => (typeof value === "object" && value !== null && !("settings" in value) && !Array.isArray(value) ? { settings: value } : value),
  z.object({ settings: widgetSettings }),
);

export const widgetEndpoints = {
  read: endpoint("GET /api/widget-settings/{workspaceId}", {
    summary: "Read the widget's settings; {} if never saved",
    access: roles,
    response: z.object({ settings: widgetSettings }),
  }),
  save: endpoint("POST /api/widget-settings/{workspaceId}", {
    summary: "Save the widget's settings; absent groups and fields stay",
    access: managers,
    body: saveInput,
    response: z.object({ success: z.literal(true), settings: widgetSettings }),
  }),
} as const;
