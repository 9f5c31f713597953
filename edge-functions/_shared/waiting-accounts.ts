import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { fromAuth, fromDatabase, wasJustWrittenTo } from "./backend-errors.ts";
import { withoutSession } from "./clients.ts";
import type { Env } from "./env.ts";
import { AppError } from "./errors.ts";

/*
 * Accounts without a session: those that wait for their confirmation, and one whose address was changed by somebody else. The third place that
 * speaks with the service role: what is said about one must have come through /api.
 */
const service = ({ supabaseUrl, secretKey }: Env): SupabaseClient => createClient(supabaseUrl, secretKey, withoutSession);

/**
 * Before the link of a mail is spent: makes sure that the password of the account it confirms is that of the browser it is opened in, whose
 * mark's hash is `browser`. "known": it is; "unknown": nobody knows the password any more; null: no waiting account has this link.
 */
export async function openWaitingAccount(env: Env, link: string, browser: string | null): Promise<"known" | "unknown" | null> {
  const { data, error, status } = await service(env).rpc("open_waiting_account", { link, browser });
  if (error) throw fromDatabase(error, status);
  if (data === null) return null;
  return data === true ? "known" : "unknown";
}

/** Remembers with the waiting account of an address which invitation it was signed up with; null: with none. */
export async function rememberInvite(env: Env, email: string, token: string | null): Promise<void> {
  const { error, status } = await service(env).rpc("remember_invite", { email, token });
  if (error) throw fromDatabase(error, status);
}

/** Undoes a change of email address by the link that the old one got; answers the address that counts again, null when there is nothing to undo. */
export async function undoEmailChange(env: Env, token: string): Promise<string | null> {
  const { data, error, status } = await service(env).rpc("undo_email_change", { token });
  if (error) throw fromDatabase(error, status);
  return data as string | null;
}

/** The token that only an invitation's mail has. */
export async function makeMailedInviteToken(env: Env, inviteId: string): Promise<string> {
  const { data, error, status } = await service(env).rpc("make_mailed_invite_token", { invite_id: inviteId });
  if (error) throw fromDatabase(error, status);
  return data as string;
}

/** Throws a sign-up refusal unless this address can sign up here, by itself or with the token of an invitation. The same whether it has an account. */
export async function checkSignUp(env: Env, email: string, token: string | null): Promise<void> {
  const { error, status } = await service(env).rpc("check_sign_up", { email, token });
  if (error) throw fromDatabase(error, status);
}

/** Makes a confirmed account: of somebody whose invitation was mailed to this address, or of the operator. False: this token proves neither. */
export async function createAccountByLink(
  env: Env,
  account: { token: string; email: string; password: string; full_name: string },
): Promise<boolean> {
  const { data, error, status } = await service(env).rpc("create_account_by_link", account);
  if (error) throw fromDatabase(error, status);
  return data === true;
}

/**
 * Sends the link that confirms a sign-up again, for the operator. The secret key lets the auth service leave out the bot check. Throws rate_limited if
 * it has just written to this address.
 */
export async function sendSignUpLink(env: Env, email: string): Promise<void> {
  const { error } = await service(env).auth.resend({ type: "signup", email });
  if (!error) return;
  throw wasJustWrittenTo(error) ? new AppError("rate_limited", { retryAfter: 60, cause: error }) : fromAuth(error);
}

/** Longer than the auth service takes; what is refused meanwhile has been spent or is being. */
const oneAttempt = { bucket: "link", size: 1, period_seconds: 60 };

/**
 * Spends a mailed link by `spend` unless another request is just doing so: the auth service (GoTrue) looks a link up and takes it away
 * in two steps, so two requests at one moment would both get a session. A link that was not taken can be tried again.
 */
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
