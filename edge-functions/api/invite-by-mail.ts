import type { NewInvite } from "#contract/invites.ts";
import type { Database } from "../_shared/clients.ts";
import type { Env } from "../_shared/env.ts";
import { sendMail } from "../_shared/mail.ts";
import type { Identity } from "../_shared/tokens.ts";
import { invitationMail } from "./mails/invitation.ts";
import { presentNewInvite } from "./presenters/invite.ts";
import { createInvite, type InviteTerms, readInvite } from "./queries/invites.ts";
import { findProfile } from "./queries/profiles.ts";

interface Inviter {
  db: Database;
  env: Env;
  user: Identity;
  idempotencyKey: string | null;
}

/** Makes an invitation and, when it names an address, mails the link there. A mail that cannot be sent leaves a link to hand on. */
export async function makeInvite(by: Inviter, workspaceId: string, terms: InviteTerms) {
  const invite = presentNewInvite(await createInvite(by.db, workspaceId, terms, by.idempotencyKey), by.env.publicUrl);
  const mailed = invite.email !== null && by.env.mail !== null && (await mailInvite(by, invite, invite.email));
  return { success: true as const, invite, mailed };
}

async function mailInvite({ db, env, user }: Inviter, { token, role, url, expires_at }: NewInvite, to: string): Promise<boolean> {
  const [{ full_name: inviter }, { workspace_name: workspace }] = await Promise.all([findProfile(db, user.id), readInvite(env, token)]);
  return sendMail(env, invitationMail({ to, inviter, workspace, role, url, expiresAt: expires_at }));
}
