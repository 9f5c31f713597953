import type { AddOn } from "#contract/limits.ts";
import type { Database } from "../../_shared/clients.ts";
import { rows } from "../result.ts";
import { requireRole } from "../workspaces/queries.ts";

export interface AddOnRow {
  add_on: AddOn | "teams";
  granted_at: string;
}

/** What a workspace has, and what was asked for it and not granted yet. */
export async function listAddOns(db: Database, workspaceId: string): Promise<{ granted: AddOnRow[]; asked: AddOn[] }> {
  const has = db.from("workspace_add_ons").select("add_on, granted_at").eq("workspace_id", workspaceId).order("add_on");
  const open = db.from("upgrade_requests").select("add_ons").eq("workspace_id", workspaceId).is("granted_at", null);
  const [granted, requests] = await Promise.all([rows(has), rows(open), requireRole(db, workspaceId)]);
  const asked = new Set(requests.flatMap(({ add_ons }) => add_ons as AddOn[]));
  return { granted: granted as AddOnRow[], asked: [...asked].filter((name) => granted.every(({ add_on }) => add_on !== name)) };
}

/** Whether they were granted at once. */
export function requestAddOns(db: Database, workspaceId: string, addOns: AddOn[]): Promise<boolean> {
  return rows(db.rpc("request_upgrade", { workspace_id: workspaceId, add_ons: addOns }));
}
