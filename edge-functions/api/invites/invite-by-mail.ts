import type { NewInvite } from "#contract/invites.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { sendMail, type Mail } from "../../_shared/mail.ts";
import { createRateLimiter } from "../../_shared/rate-limits.ts";
import type { Identity } from "../../_shared/tokens.ts";
import { createInvite, type InviteTerms, noteInviteMailed, readInvite, type NewInviteRow } from "./queries.ts";
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

/** `publicUrl` is the origin of the product: the link leads to its page /join. */
const presentNewInvite = (row: NewInviteRow, publicUrl: string): NewInvite => ({
  ...row,
  url: `${publicUrl}/join?token=${row.token}`,
});

interface Invitation {
  to: string;
  inviter: string;
  workspace: string;
  role: string;
  url: string;
  /** ISO 8601. */
  expiresAt: string;
}

const lastDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** The mail that an invitation by e-mail sends: who, where, as what, one button. */
function invitationMail({ to, inviter, workspace, role, url, expiresAt }: Invitation): Mail {
  const subject = `${inviter} invited you to ${workspace}`;
  const invitation = `${inviter} invited you to join “${workspace}” on Tidings as ${role}.`;
  const note = `The link works once, for this address only, until ${lastDay.format(new Date(expiresAt))}. If you did not expect it, you can ignore this mail.`;
  return { to, subject, text: `${invitation}\n\nJoin the team: ${url}\n\n${note}\n`, html: page(subject, invitation, url, note) };
}

/** In the dress of supabase/templates, which hosted functions cannot read. */
const page = (title: string, invitation: string, url: string, note: string): string => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" /><title>${escapeHtml(title)}</title></head>
  <body style="margin: 0; padding: 32px 16px; background: #f4f4f5; color: #18181b; font: 16px/1.6 Inter, system-ui, sans-serif">
    <div style="max-width: 440px; margin: 0 auto; padding: 40px; background: #ffffff; border: 1px solid #e4e4e7; border-radius: 12px">
      <p style="margin: 0 0 24px; font-weight: 600">Tidings</p>
      <h1 style="margin: 0 0 12px; font-size: 22px; line-height: 1.3">You’re invited!</h1>
      <p style="margin: 0 0 28px">${escapeHtml(invitation)}</p>
      <p style="margin: 0 0 28px"><a href="${escapeHtml(url)}" style="display: inline-block; padding: 12px 24px; border-radius: 8px; background: #18181b; color: #ffffff; font-weight: 600; text-decoration: none">Join the team</a></p>
      <p style="margin: 0; font-size: 14px; color: #52525b">${escapeHtml(note)}</p>
    </div>
  </body>
</html>
`;
