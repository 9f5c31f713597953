import { widgetEndpoints } from "#contract/widget-endpoints.ts";
import type { WidgetSettings } from "#contract/widget-choices.ts";
import type { Binder } from "../_shared/handle.ts";
import type { Database } from "../_shared/clients.ts";
import { json, rows } from "./result.ts";
import { requireRole } from "./workspaces/queries.ts";

export function bindWidgetSettings({ signedIn }: Binder): void {
  signedIn(widgetEndpoints.read, async ({ db, params }) => {
    return { settings: await findWidgetSettings(db, params.workspaceId) };
  });

  signedIn(widgetEndpoints.save, async ({ db, params, body }) => {
    return { success: true as const, settings: await saveWidgetSettings(db, params.workspaceId, body.settings) };
  });
}

async function findWidgetSettings(db: Database, workspaceId: string): Promise<WidgetSettings> {
  const call = db.from("widget_settings").select("settings").eq("workspace_id", workspaceId).maybeSingle();
  const [row] = await Promise.all([rows(call), requireRole(db, workspaceId)]);
  return (row?.settings ?? {}) as WidgetSettings;
}

function saveWidgetSettings(db: Database, workspaceId: string, settings: WidgetSettings): Promise<WidgetSettings> {
  return json(db.rpc("save_widget_settings", { workspace_id: workspaceId, settings }));
}
