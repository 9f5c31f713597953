import { addOnEndpoints } from "#contract/add-ons.ts";
import type { Binder } from "../../_shared/handle.ts";
import { iso } from "../time.ts";
import { listAddOns, requestAddOns } from "./queries.ts";

export function bindAddOns({ signedIn }: Binder): void {
  signedIn(addOnEndpoints.list, async ({ db, params }) => {
    const { granted, asked } = await listAddOns(db, params.workspaceId);
    return { add_ons: granted.map(({ add_on, granted_at }) => ({ add_on, granted_at: iso(granted_at) })), requested: asked };
  });

  signedIn(addOnEndpoints.request, async ({ db, params, body }) => {
    return { success: true as const, granted: await requestAddOns(db, params.workspaceId, body.add_ons) };
  });
}
