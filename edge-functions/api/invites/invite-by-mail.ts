import type { NewInvite } from "#contract/invites.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { sendMail } from "../../_shared/mail.ts";
import { createRateLimiter } from "../../_shared/rate-limits.ts";
import type { Identity } from "../../_shared/tokens.ts";
import { invitationMail } from "./invitation-mail.ts";
import { presentNewInvite } from "./presenter.ts";
import { createInvite, type InviteTerms, noteInviteMailed, readInvite } from "./queries.ts";
import { findProfile } from "../profiles/queries.ts";

interface Inviter {
  db: Database;
  env: Env;
  user: Identity;
  idempotencyKey: string | null;
}

/**
 * Makes an invitation and, when it names an address, mails the link there. A mail that cannot be sent, or that would be one too many for
 * its address, leaves a link to hand on. A repeated call mails nothing: it says whether the first one did.
 */
export async function makeInvite(by: Inviter, workspaceId: string, terms: InviteTerms) {
  const row = await createInvite(by.db, workspaceId, terms, by.idempotencyKey);
  const invite = presentNewInvite(row, by.env.publicUrl);
  if (row.repeated || invite.email === null || by.env.mail === null) return { success: true as const, invite, mailed: row.mailed };
  const isWelcome = await createRateLimiter(by.env).count("inviteMail", { account: invite.email.toLowerCase() });
  const mailed = isWelcome && (await mailInvite(by, invite, invite.email));
  if (mailed) await noteInviteMailed(by.db, invite.id);
  return { success: true as const, invite, mailed };
}

async function mailInvite({ db, env, user }: Inviter, { token, role, url, expires_at }: NewInvite, to: string): Promise<boolean> {
  const [{ full_name: inviter }, { workspace_name: workspace }] = await Promise.all([findProfile(db, user.id), readInvite(env, token)]);
  return sendMail(env, invitationMail({ to, inviter, workspace, role, url, expiresAt: expires_at }));
}
