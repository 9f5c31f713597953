import { operatorEndpoints, type OperatorOverview, type OperatorPerson, type OperatorWorkspace } from "#contract/operator.ts";
import { version } from "#contract/version.ts";
import type { Binder } from "../_shared/handle.ts";
import { sendSignUpLink } from "../_shared/waiting-accounts.ts";
import { json, rows } from "./result.ts";

const pageSize = 10;
const pagesOf = (page: number, total: number) => ({ page, pages: Math.max(1, Math.ceil(total / pageSize)), total });

export function bindOperator({ signedIn }: Binder): void {
  signedIn(operatorEndpoints.overview, async ({ db }) => {
    return { version, ...(await json<Omit<OperatorOverview, "version">>(db.rpc("operator_overview"))) };
  });

  signedIn(operatorEndpoints.workspaces, async ({ db, query }) => {
    const { workspaces, total } = await json<{ workspaces: OperatorWorkspace[]; total: number }>(db.rpc("operator_workspaces", query));
    return { workspaces, pagination: pagesOf(query.page, total) };
  });

  signedIn(operatorEndpoints.people, async ({ db, query }) => {
    const { people, total } = await json<{ people: OperatorPerson[]; total: number }>(db.rpc("operator_people", query));
    return { people, pagination: pagesOf(query.page, total) };
  });

  signedIn(operatorEndpoints.sendSignUpLink, async ({ db, env, params }) => {
    await sendSignUpLink(env, await rows(db.rpc("operator_sign_up_link", { user_id: params.userId })));
    return { success: true as const };
  });

  signedIn(operatorEndpoints.removeFactors, async ({ db, params }) => {
    await rows(db.rpc("operator_remove_factors", { user_id: params.userId }));
    return { success: true as const };
  });

  signedIn(operatorEndpoints.grantAddOn, async ({ db, params, body }) => {
    await rows(db.rpc("operator_grant_add_on", { workspace_id: params.workspaceId, add_on: body.add_on }));
    return { success: true as const };
  });

  signedIn(operatorEndpoints.suspend, async ({ db, params, body }) => {
    await rows(db.rpc("operator_set_suspension", { workspace_id: params.workspaceId, suspended: true, message: body.message }));
    return { success: true as const };
  });

  signedIn(operatorEndpoints.resume, async ({ db, params }) => {
    await rows(db.rpc("operator_set_suspension", { workspace_id: params.workspaceId, suspended: false }));
    return { success: true as const };
  });
}
