import type { z } from "zod";
import { inviteEndpoints, type inviteInput } from "#contract/invites.ts";
import { atSteadyTime } from "#contract/rules/steady-time.ts";
import { AppError } from "../../_shared/errors.ts";
import type { Binder } from "../../_shared/handle.ts";
import { makeInvite, makeInvites } from "./invite-by-mail.ts";
import { acceptInvite, acceptRememberedInvite, type InviteTerms, listInvites, readInvite, revokeInvite, setInviteRole } from "./queries.ts";

/** Timing: wrong and used tokens take the same time. */
const stepMs = 40;

export function bindInvites({ open, signedIn }: Binder): void {
  signedIn(inviteEndpoints.list, async ({ db, params }) => {
    return { invites: await listInvites(db, params.accountId) };
  });

  signedIn(inviteEndpoints.create, ({ params, body, ...by }) => makeInvite(by, params.accountId, termsOf(body)));

  signedIn(inviteEndpoints.createMany, ({ params, body: { role, isAdmin, emails }, ...by }) =>
    makeInvites(by, params.accountId, { role: isAdmin ? "admin" : role, emails }),
  );

  signedIn(inviteEndpoints.createLink, ({ params, body, ...by }) => {
    if (body.workspaceId !== params.accountId) throw new AppError("not_found");
    return makeInvite(by, params.accountId, termsOf(body));
  });

  signedIn(inviteEndpoints.setRole, async ({ db, params, body }) => {
    const role = await setInviteRole(db, params.accountId, params.inviteId, body.role);
    return { success: true as const, invite: { id: params.inviteId, role } };
  });

  signedIn(inviteEndpoints.revoke, async ({ db, params }) => {
    await revokeInvite(db, params.inviteId);
    return { success: true as const };
  });

  open(inviteEndpoints.read, ({ env, params }) => atSteadyTime(stepMs, () => readInvite(env, params.token)));

  open(inviteEndpoints.validate, async ({ env, params }) => {
    return { success: true as const, ...(await atSteadyTime(stepMs, () => readInvite(env, params.token))) };
  });

  signedIn(inviteEndpoints.accept, async ({ db, params }) => {
    return { success: true as const, workspace_id: await atSteadyTime(stepMs, () => acceptInvite(db, params.token)) };
  });

  signedIn(inviteEndpoints.join, async ({ db, body }) => {
    return { success: true as const, workspaceId: await atSteadyTime(stepMs, () => acceptInvite(db, body.token)) };
  });

  signedIn(inviteEndpoints.joinSession, async ({ db, body }) => {
    const token = body?.token;
    const join = () => (token === undefined ? acceptRememberedInvite(db) : acceptInvite(db, token));
    return { success: true as const, workspaceId: await atSteadyTime(stepMs, join) };
  });
}

const termsOf = ({ role, isAdmin, email, expires_at }: z.output<typeof inviteInput>): InviteTerms => ({
  role: isAdmin ? "admin" : role,
  email,
  expires_at,
});
