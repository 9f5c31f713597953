import { addOnEndpoints } from "#contract/add-ons.ts";
import type { Binder } from "../../_shared/handle.ts";
import { listAddOns, requestAddOns } from "./queries.ts";

export function bindAddOns({ signedIn }: Binder): void {
  signedIn(addOnEndpoints.list, async ({ db, params }) => {
    const { granted, asked } = await listAddOns(db, params.workspaceId);
    return { add_ons: granted, requested: asked };
  });

  signedIn(addOnEndpoints.request, async ({ db, params, body }) => {
    return { success: true as const, granted: await requestAddOns(db, params.workspaceId, body.add_ons) };
  });
}
