import type { NewInvite } from "#contract/invites.ts";
import { ConcurrencyLimit } from "#contract/rules/concurrency-limit.ts";
import { once } from "#contract/rules/once.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { sendMail, type Mail } from "../../_shared/mail.ts";
import { mailPage, mailText } from "../../_shared/mail-page.ts";
import { createRateLimiter } from "../../_shared/rate-limits.ts";
import { makeMailedInviteToken } from "../../_shared/waiting-accounts.ts";
import type { Identity } from "../../_shared/tokens.ts";
import { createInvite, createInvites, type InviteTerms, noteInviteMailed, readInvite, type NewInviteRow } from "./queries.ts";

interface Inviter {
  db: Database;
  env: Env;
  user: Identity;
  idempotencyKey: string | null;
}

export async function makeInvite(by: Inviter, workspaceId: string, terms: InviteTerms) {
  const row = await createInvite(by.db, workspaceId, terms, by.idempotencyKey);
  return { success: true as const, ...(await sendInvite(by, row)) };
}

const sending = new ConcurrencyLimit({ underWay: 4 });

/** Each address counts as one invitation of the person's limit. */
export async function makeInvites(by: Inviter, workspaceId: string, terms: { role: InviteTerms["role"]; emails: string[] }) {
  const limiter = createRateLimiter(by.env);
  for (const _ of terms.emails.slice(1)) await limiter.count("invite", { person: by.user.id });
  const created = await createInvites(by.db, workspaceId, terms, by.idempotencyKey);
  const invites = await Promise.all(created.map((row) => sending.run(workspaceId, () => sendInvite(by, row))));
  const invited = new Set(created.map(({ email }) => email?.toLowerCase()));
  return { success: true as const, invites, members: terms.emails.filter((email) => !invited.has(email)) };
}

/**
 * Emails the link if an address is given. If sending fails or the address's limit is reached, the link can be shared by hand. A repeated
 * call (same idempotency key) sends nothing and reports the first result.
 */
async function sendInvite(by: Inviter, row: NewInviteRow) {
  const invite = presentNewInvite(row, by.env.publicUrl);
  const created = { invite, renewed: row.renewed };
  if (row.repeated || invite.email === null || by.env.mail === null) return { ...created, mailed: row.mailed };
  const isWelcome = await createRateLimiter(by.env).count("inviteMail", { account: invite.email.toLowerCase() });
  const mailed = isWelcome && (await mailInvite(by.env, invite, invite.email));
  if (mailed) await noteInviteMailed(by.db, invite.id);
  return { ...created, mailed };
}

async function mailInvite(env: Env, { id, token, role, expires_at }: NewInvite, to: string): Promise<boolean> {
  const [{ invited_by: inviter, workspace_name: workspace }, mailed] = await Promise.all([
    readInvite(env, token),
    makeMailedInviteToken(env, id), // a separate token: it proves access to the mailbox
  ]);
  // The address is a fragment: never sent to the server, and absent from copied links.
  const link = `${joinUrl(env.publicUrl, mailed)}#for=${encodeURIComponent(to)}`;
  return sendMail(env, invitationMail({ to, inviter: inviter ?? "Someone", workspace, role, url: link, expiresAt: expires_at }));
}

const joinUrl = (publicUrl: string, token: string): string => `${publicUrl}/join?token=${token}`;

const presentNewInvite = (row: NewInviteRow, publicUrl: string): NewInvite => ({ ...row, url: joinUrl(publicUrl, row.token) });

interface Invitation {
  to: string;
  inviter: string;
  workspace: string;
  role: string;
  url: string;
  expiresAt: string;
}

const lastDay = once(() => new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }));

function invitationMail({ to, inviter, workspace, role, url, expiresAt }: Invitation): Mail {
  const words = {
    title: "You’re invited!",
    text: `${inviter} invited you to join “${workspace}” on Tidings as ${role === "viewer" ? "a" : "an"} ${role === "admin" ? "administrator" : role}.`,
    button: "Join the team",
    url,
    note: `The link works once, for this address only, until ${lastDay().format(new Date(expiresAt))}. If you didn’t expect it, you can ignore this email.`,
  };
  return { to, subject: `${inviter} invited you to ${workspace}`, text: mailText(words), html: mailPage(words) };
}
