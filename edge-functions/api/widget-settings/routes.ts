import { widgetEndpoints } from "#contract/widget-endpoints.ts";
import type { Binder } from "../../_shared/handle.ts";
import { findWidgetSettings, saveWidgetSettings } from "./queries.ts";

export function bindWidgetSettings({ signedIn }: Binder): void {
  signedIn(widgetEndpoints.read, async ({ db, params }) => {
    return { settings: await findWidgetSettings(db, params.workspaceId) };
  });

  signedIn(widgetEndpoints.save, async ({ db, params, body }) => {
    return { success: true as const, settings: await saveWidgetSettings(db, params.workspaceId, body.settings) };
  });
}
