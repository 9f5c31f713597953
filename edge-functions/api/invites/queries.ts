import type { AnswerOf, RowOf } from "#contract/database.ts";
import type { Invite, invitedRoles } from "#contract/invites.ts";
import { managers } from "#contract/kinds.ts";
import { type Database, databaseWithoutSession } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { rows } from "../result.ts";
import { requireRole } from "../workspaces/queries.ts";

type InvitedRole = (typeof invitedRoles)[number];

/** Invitations never have the role owner, by a check constraint. */
type Invited<Row> = Omit<Row, "role"> & { role: InvitedRole };
export type NewInviteRow = Invited<AnswerOf<"create_invite">>;

export interface InviteTerms {
  role: InvitedRole;
  email?: string | null;
  expires_at?: string | null;
}

/** The only response with tokens; a repeated idempotency key gets a new token for the same invitation. */
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

export async function createInvites(
  db: Database,
  workspaceId: string,
  { role, emails }: { role: InvitedRole; emails: string[] },
  idempotencyKey: string | null,
): Promise<NewInviteRow[]> {
  const call = db.rpc("create_invites", { workspace_id: workspaceId, role, emails, idempotency_key: idempotencyKey });
  return (await rows(call)) as NewInviteRow[];
}

export function noteInviteMailed(db: Database, inviteId: string): Promise<null> {
  return rows(db.rpc("note_invite_mailed", { invite_id: inviteId }));
}

const columns = "id, role, email, created_by_name, created_at, expires_at, accepted_at, revoked_at";

export async function listInvites(db: Database, workspaceId: string): Promise<Invited<Pick<RowOf<"invites">, keyof Invite>>[]> {
  await requireRole(db, workspaceId, managers);
  const list = db.from("invites").select(columns).eq("workspace_id", workspaceId);
  const latest = await rows(list.order("created_at", { ascending: false }).order("id").limit(200));
  return latest as Invited<(typeof latest)[number]>[];
}

export function setInviteRole(db: Database, workspaceId: string, inviteId: string, role: InvitedRole): Promise<InvitedRole> {
  return rows(db.rpc("set_invite_role", { workspace_id: workspaceId, invite_id: inviteId, role })) as Promise<InvitedRole>;
}

export function revokeInvite(db: Database, inviteId: string): Promise<null> {
  return rows(db.rpc("revoke_invite", { invite_id: inviteId }));
}

export function readInvite(env: Env, token: string): Promise<AnswerOf<"read_invite">> {
  return rows(databaseWithoutSession(env).rpc("read_invite", { token }));
}

export function acceptInvite(db: Database, token: string): Promise<string> {
  return rows(db.rpc("accept_invite", { token }));
}

export function acceptRememberedInvite(db: Database): Promise<string> {
  return rows(db.rpc("accept_invite"));
}
