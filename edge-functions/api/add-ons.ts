import { addOnEndpoints } from "#contract/add-ons.ts";
import { type AddOn, addOns } from "#contract/kinds.ts";
import type { Binder } from "../_shared/handle.ts";
import type { Database } from "../_shared/clients.ts";
import { rows } from "./result.ts";
import { requireRole } from "./workspaces/queries.ts";

export function bindAddOns({ signedIn }: Binder): void {
  signedIn(addOnEndpoints.list, async ({ db, params }) => {
    const [{ granted, asked }, included] = await Promise.all([listAddOns(db, params.workspaceId), rows(db.rpc("grants_upgrades"))]);
    return { add_ons: granted, requested: asked, included };
  });

  signedIn(addOnEndpoints.request, async ({ db, params, body }) => {
    await rows(db.rpc("request_upgrade", { workspace_id: params.workspaceId, add_ons: body.add_ons }));
    const { granted } = await listAddOns(db, params.workspaceId);
    const isActive = (name: AddOn) => granted.some(({ add_on }) => add_on === name);
    const allowed = addOns.filter((name) => body.add_ons.includes(name));
    const recorded = allowed.filter((name) => !isActive(name));
    return { success: true as const, granted: recorded.length === 0, active: allowed.filter(isActive), recorded };
  });
}

interface AddOnRow {
  add_on: AddOn | "teams";
  granted_at: string;
}

async function listAddOns(db: Database, workspaceId: string): Promise<{ granted: AddOnRow[]; asked: AddOn[] }> {
  const has = db.from("workspace_add_ons").select("add_on, granted_at").eq("workspace_id", workspaceId).order("add_on");
  const open = db.from("upgrade_requests").select("add_ons").eq("workspace_id", workspaceId).is("granted_at", null);
  const [granted, requests] = await Promise.all([rows(has), rows(open), requireRole(db, workspaceId)]);
  const pending = new Set(requests.flatMap(({ add_ons }) => add_ons as AddOn[]));
  return { granted: granted as AddOnRow[], asked: [...pending].filter((name) => granted.every(({ add_on }) => add_on !== name)) };
}
