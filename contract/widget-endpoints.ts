import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { managers, roles } from "./kinds.ts";
import type { WidgetSettings } from "./widget-choices.ts";
import { widgetSettings } from "./widget-settings.ts";
import { website } from "./workspaces.ts";

const saveInput: z.ZodType<{ settings: WidgetSettings }, { settings: WidgetSettings } | WidgetSettings> = z.preprocess(
  (value) => (typeof value === "object" && value !== null && !("settings" in value) && !Array.isArray(value) ? { settings: value } : value),
  z.object({ settings: widgetSettings }),
);

export const widgetCheckInput = z.object({
  url: website.refine((url) => url.startsWith("https://"), { error: "Enter a URL that starts with https://" }),
});

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
  check: endpoint("POST /api/widget-settings/{workspaceId}/check", {
    summary: "Check if a public https page contains the workspace's widget",
    details: "Reads the page's HTML without running its scripts, so a widget that a tag manager adds isn't found.",
    access: managers,
    limit: "widgetCheck",
    body: widgetCheckInput,
    response: z.object({
      result: z.enum(["found", "other_workspace", "not_found", "unreachable"]),
      /** Of the page, after redirects. */
      origin: z.string(),
      /** other_workspace: the subdomain in the page's snippet; unreachable: why. */
      detail: z.string().nullable(),
    }),
  }),
} as const;
