import { operatorEndpoints, type OperatorOverview } from "#contract/operator.ts";
import { version } from "#contract/version.ts";
import type { Binder } from "../_shared/handle.ts";
import { json } from "./result.ts";

export function bindOperator({ signedIn }: Binder): void {
  signedIn(operatorEndpoints.overview, async ({ db }) => {
    return { version, ...(await json<Omit<OperatorOverview, "version">>(db.rpc("operator_overview"))) };
  });
}
