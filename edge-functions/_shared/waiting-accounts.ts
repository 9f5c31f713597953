import type { SupabaseClient } from "@supabase/supabase-js";
import { fromAuth, fromDatabase, wasJustWrittenTo } from "./backend-errors.ts";
import { serviceClient } from "./clients.ts";
import type { Env } from "./env.ts";
import { AppError } from "./errors.ts";

/* Account operations without a session, with the service role, so they only work through /api. */
const service: (env: Env) => SupabaseClient = serviceClient; // its generated types know no null arguments

/** Before spending a link. "known": the password is this browser's; "unknown": it was removed; null: no such account. */
export async function openWaitingAccount(env: Env, link: string, browser: string | null): Promise<"known" | "unknown" | null> {
  const { data, error, status } = await service(env).rpc("open_waiting_account", { link, browser });
  if (error) throw fromDatabase(error, status);
  if (data === null) return null;
  return data === true ? "known" : "unknown";
}

/** Stores the invitation of an unconfirmed account; null: none. */
export async function rememberInvite(env: Env, email: string, token: string | null): Promise<void> {
  const { error, status } = await service(env).rpc("remember_invite", { email, token });
  if (error) throw fromDatabase(error, status);
}

export async function undoEmailChange(env: Env, token: string): Promise<string | null> {
  const { data, error, status } = await service(env).rpc("undo_email_change", { token });
  if (error) throw fromDatabase(error, status);
  return data as string | null;
}

/** False for an invalid or expired link. */
export async function undoCredentialChange(env: Env, token: string, confirm: boolean): Promise<boolean> {
  const { data, error, status } = await service(env).rpc("undo_credential_change", { token, confirm });
  if (error) throw fromDatabase(error, status);
  return data !== null;
}

export async function makeMailedInviteToken(env: Env, inviteId: string): Promise<string> {
  const { data, error, status } = await service(env).rpc("make_mailed_invite_token", { invite_id: inviteId });
  if (error) throw fromDatabase(error, status);
  return data as string;
}

/** Throws the sign-up refusal for this address and token, whether or not an account exists. */
export async function checkSignUp(env: Env, email: string, token: string | null): Promise<void> {
  const { error, status } = await service(env).rpc("check_sign_up", { email, token });
  if (error) throw fromDatabase(error, status);
}

export async function createAccountByLink(
  env: Env,
  account: { token: string; email: string; password: string; full_name: string },
): Promise<boolean> {
  const { data, error, status } = await service(env).rpc("create_account_by_link", account);
  if (error) throw fromDatabase(error, status);
  return data === true;
}

/** Resends the sign-up link for the operator, without the bot check (secret key). Throws rate_limited if it was just sent. */
export async function sendSignUpLink(env: Env, email: string): Promise<void> {
  const { error } = await service(env).auth.resend({ type: "signup", email });
  if (!error) return;
  throw wasJustWrittenTo(error) ? new AppError("rate_limited", { retryAfter: 60, cause: error }) : fromAuth(error);
}

/** Longer than a call of the auth service. */
const oneAttempt = { bucket: "link", size: 1, period: "60 seconds" };

/** Race: GoTrue looks up and deletes a link in two steps, so concurrent requests would both get a session. Failed attempts can repeat. */
export async function spendOnce<Spent>(env: Env, link: string, spend: () => Promise<Spent>): Promise<Spent> {
  const { bucket, size } = oneAttempt;
  const { data: wait, error, status } = await service(env).rpc("take_token", { ...oneAttempt, key: link });
  if (error) throw fromDatabase(error, status);
  if (wait > 0) throw new AppError("link_invalid");
  try {
    return await spend();
  } catch (failure) {
    await service(env).rpc("give_back_token", { bucket, size, key: link });
    throw failure;
  }
}
