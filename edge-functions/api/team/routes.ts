import { teamEndpoints } from "#contract/team.ts";
import type { Binder } from "../../_shared/handle.ts";
import { handOverOwnership, leaveWorkspace, listMembers, removeMember, setMemberRole } from "./queries.ts";
import { requireRole } from "../workspaces/queries.ts";

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
