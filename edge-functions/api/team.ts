import { teamEndpoints } from "#contract/team.ts";
import type { Binder } from "../_shared/handle.ts";
import { requireRole } from "./workspaces/queries.ts";
import { rows } from "./result.ts";

export function bindTeam({ signedIn }: Binder): void {
  signedIn(teamEndpoints.account, async ({ db, params }) => {
    await requireRole(db, params.workspaceId);
    return { accountId: params.workspaceId };
  });

  signedIn(teamEndpoints.role, async ({ db, params }) => {
    return { role: await requireRole(db, params.id) };
  });

  signedIn(teamEndpoints.members, async ({ db, params }) => {
    return { members: await rows(db.rpc("team_members", { workspace_id: params.id })) };
  });

  signedIn(teamEndpoints.setRole, async ({ db, params, body }) => {
    const role = await rows(db.rpc("set_member_role", { workspace_id: params.id, user_id: params.memberId, role: body.role }));
    return { success: true as const, member: { user_id: params.memberId, role } };
  });

  signedIn(teamEndpoints.removeMember, async ({ db, params }) => {
    await rows(db.rpc("remove_member", { workspace_id: params.id, user_id: params.memberId }));
    return { success: true as const };
  });

  signedIn(teamEndpoints.leave, async ({ db, params }) => {
    await rows(db.rpc("leave_workspace", { workspace_id: params.id }));
    return { success: true as const };
  });

  signedIn(teamEndpoints.handOver, async ({ db, params, body }) => {
    await rows(db.rpc("hand_over_ownership", { workspace_id: params.id, user_id: body.memberId }));
    return { success: true as const };
  });
}
