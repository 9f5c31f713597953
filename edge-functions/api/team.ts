import { teamEndpoints } from "#contract/team.ts";
import type { AnswerOf } from "#contract/database.ts";
import type { Role } from "#contract/kinds.ts";
import type { Binder } from "../_shared/handle.ts";
import { requireRole } from "./workspaces/queries.ts";
import type { Database } from "../_shared/clients.ts";
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
    return { members: await listMembers(db, params.id) };
  });

  signedIn(teamEndpoints.setRole, async ({ db, params, body }) => {
    const role = await setMemberRole(db, params.id, params.memberId, body.role);
    return { success: true as const, member: { user_id: params.memberId, role } };
  });

  signedIn(teamEndpoints.removeMember, async ({ db, params }) => {
    await removeMember(db, params.id, params.memberId);
    return { success: true as const };
  });

  signedIn(teamEndpoints.leave, async ({ db, params }) => {
    await leaveWorkspace(db, params.id);
    return { success: true as const };
  });

  signedIn(teamEndpoints.handOver, async ({ db, params, body }) => {
    await handOverOwnership(db, params.id, body.memberId);
    return { success: true as const };
  });
}

function listMembers(db: Database, workspaceId: string): Promise<AnswerOf<"team_members">> {
  return rows(db.rpc("team_members", { workspace_id: workspaceId }));
}

function setMemberRole(db: Database, workspaceId: string, userId: string, role: "editor" | "viewer"): Promise<Role> {
  return rows(db.rpc("set_member_role", { workspace_id: workspaceId, user_id: userId, role }));
}

function removeMember(db: Database, workspaceId: string, userId: string): Promise<null> {
  return rows(db.rpc("remove_member", { workspace_id: workspaceId, user_id: userId }));
}

function leaveWorkspace(db: Database, workspaceId: string): Promise<null> {
  return rows(db.rpc("leave_workspace", { workspace_id: workspaceId }));
}

function handOverOwnership(db: Database, workspaceId: string, userId: string): Promise<null> {
  return rows(db.rpc("hand_over_ownership", { workspace_id: workspaceId, user_id: userId }));
}
