import { operatorEndpoints, type OperatorOverview } from "#contract/operator.ts";
import { version } from "#contract/version.ts";
import type { Binder } from "../_shared/handle.ts";
import { json, rows } from "./result.ts";

export function bindOperator({ signedIn }: Binder): void {
  signedIn(operatorEndpoints.overview, async ({ db }) => {
    return { version, ...(await json<Omit<OperatorOverview, "version">>(db.rpc("operator_overview"))) };
  });

  signedIn(operatorEndpoints.grantAddOn, async ({ db, params, body }) => {
    await rows(db.rpc("operator_grant_add_on", { workspace_id: params.workspaceId, add_on: body.add_on }));
    return { success: true as const };
  });
}
