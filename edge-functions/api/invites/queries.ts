import type { AnswerOf, RowOf } from "#contract/database.ts";
import type { Invite, invitedRoles } from "#contract/invites.ts";
import { type Database, databaseWithoutSession } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { rows } from "../result.ts";
import { requireRole } from "../workspaces/queries.ts";

type InvitedRole = (typeof invitedRoles)[number];

/** No invitation gives the role of the owner: a check of the table and create_invite say so. */
type Invited<Row> = Omit<Row, "role"> & { role: InvitedRole };
export type NewInviteRow = Invited<AnswerOf<"create_invite">>;

export interface InviteTerms {
  role: InvitedRole;
  email?: string | null;
  expires_at?: string | null;
}

/** Makes an invitation, or tells a further token of the one made with the same key; tokens are told here and never again. */
export async function createInvite(
  db: Database,
  workspaceId: string,
  { role, email, expires_at }: InviteTerms,
  idempotencyKey: string | null,
): Promise<NewInviteRow> {
  const terms = { role, email: email ?? null, expires_at: expires_at ?? null };
  const call = db.rpc("create_invite", { workspace_id: workspaceId, ...terms, idempotency_key: idempotencyKey });
  return (await rows(call)) as NewInviteRow;
}

/** Remembers that the mail went out, so that a repeated call sends no second one. */
export function noteInviteMailed(db: Database, inviteId: string): Promise<null> {
  return rows(db.rpc("note_invite_mailed", { invite_id: inviteId }));
}

const columns = "id, role, email, created_by_name, created_at, expires_at, accepted_at, revoked_at";

/** The latest invitations of a workspace, newest first. */
export async function listInvites(db: Database, workspaceId: string): Promise<Invited<Pick<RowOf<"invites">, keyof Invite>>[]> {
  await requireRole(db, workspaceId, ["owner", "admin"]);
  const list = db.from("invites").select(columns).eq("workspace_id", workspaceId);
  const latest = await rows(list.order("created_at", { ascending: false }).order("id").limit(200));
  return latest as Invited<(typeof latest)[number]>[];
}

/** Answers the role that the invitation gives now. */
export function setInviteRole(db: Database, workspaceId: string, inviteId: string, role: InvitedRole): Promise<InvitedRole> {
  return rows(db.rpc("set_invite_role", { workspace_id: workspaceId, invite_id: inviteId, role })) as Promise<InvitedRole>;
}

export function revokeInvite(db: Database, inviteId: string): Promise<null> {
  return rows(db.rpc("revoke_invite", { invite_id: inviteId }));
}

/** What an open invitation is for; whoever holds the token may ask, with or without a session. */
export function readInvite(env: Env, token: string): Promise<AnswerOf<"read_invite">> {
  return rows(databaseWithoutSession(env).rpc("read_invite", { token }));
}

/** Makes the caller a member; answers the id of the workspace. */
export function acceptInvite(db: Database, token: string): Promise<string> {
  return rows(db.rpc("accept_invite", { token }));
}

/** The same by the invitation that the caller's account was signed up with. */
export function acceptRememberedInvite(db: Database): Promise<string> {
  return rows(db.rpc("accept_remembered_invite"));
}
