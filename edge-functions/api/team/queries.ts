import type { AnswerOf } from "#contract/database.ts";
import type { Role } from "#contract/limits.ts";
import type { Database } from "../../_shared/clients.ts";
import { rows } from "../result.ts";

/** The members of a workspace, its owner first. */
export function listMembers(db: Database, workspaceId: string): Promise<AnswerOf<"team_members">> {
  return rows(db.rpc("team_members", { workspace_id: workspaceId }));
}

/** Answers the role the member has now. */
export function setMemberRole(db: Database, workspaceId: string, userId: string, role: "editor" | "viewer"): Promise<Role> {
  return rows(db.rpc("set_member_role", { workspace_id: workspaceId, user_id: userId, role }));
}

export function removeMember(db: Database, workspaceId: string, userId: string): Promise<null> {
  return rows(db.rpc("remove_member", { workspace_id: workspaceId, user_id: userId }));
}

export function leaveWorkspace(db: Database, workspaceId: string): Promise<null> {
  return rows(db.rpc("leave_workspace", { workspace_id: workspaceId }));
}

/** The member becomes the owner, the caller an admin. */
export function handOverOwnership(db: Database, workspaceId: string, userId: string): Promise<null> {
  return rows(db.rpc("hand_over_ownership", { workspace_id: workspaceId, user_id: userId }));
}
