import { AuthApiError, type AuthError, isAuthError, isAuthRetryableFetchError, type Session } from "@supabase/supabase-js";
import type { OAuthProvider, SignUpOffer } from "#contract/auth.ts";
import { safeReturnPath } from "#contract/rules/safe-return-path.ts";
import { fromAuth, wasJustWrittenTo } from "../../_shared/backend-errors.ts";
import { bearerToken } from "../../_shared/bearer-token.ts";
import { authFor, authWithoutSession, callerHeaders, type Database, databaseWithoutSession } from "../../_shared/clients.ts";
import { SessionCookies } from "../../_shared/cookies.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import { authPatienceMs, hasEnded, notNow, type ReadSession } from "../../_shared/session.ts";
import { openWaitingAccount, undoEmailChange } from "../../_shared/waiting-accounts.ts";
import { rows } from "../result.ts";
import { forgetMark, markOf } from "./sign-up-mark.ts";

export interface Credentials {
  email: string;
  password: string;
  captchaToken?: string;
}

/** A request of somebody without a session. */
export type Visitor = Pick<Visit, "env" | "headers">;

/** The request that a session begins with. */
export interface Visit {
  env: Env;
  cookies: SessionCookies;
  headers: Headers;
}

const authOf = ({ env, cookies, headers }: Visit) => authFor(env, cookies, headers);

/** Checks the password, writes the session cookie and returns the session. */
export async function signIn(visit: Visit, { email, password, captchaToken }: Credentials): Promise<Session> {
  const { data, error } = await authOf(visit).signInWithPassword({ email, password, options: { captchaToken } });
  if (error) throw fromAuth(error);
  return data.session;
}

/** Tells the audit log. When that fails nobody is kept out: what is missing there is written within the hour, without a network (81-audit.sql). */
export async function noteSignIn(db: Database): Promise<void> {
  await db.rpc("note_sign_in").then(
    () => undefined,
    () => undefined,
  );
}

export interface NewAccount extends Credentials {
  /**
   * Kept as the account's metadata, which its tokens carry: names for the profile; until the address is confirmed, the hashes of the browser's mark and
   * of an invitation's token, by which the database lets the account in (51-sign-up.sql).
   */
  data: { full_name: string; company_name?: string; signup_browser: string; invitation?: string };
}

/** Creates an unconfirmed account and has the mail sent; an address that is already known changes nothing and is no error. */
export async function signUp({ env, headers }: Visitor, { email, password, captchaToken, data }: NewAccount): Promise<void> {
  await askForMail(env, () => authWithoutSession(env, headers).signUp({ email, password, options: { captchaToken, data } }));
}

/** Has the link that confirms a sign-up sent again; an address that waits for none, or one just written to, is no error. */
export async function sendConfirmationAgain({ env, headers }: Visitor, email: string, captchaToken: string | undefined): Promise<void> {
  await askForMail(env, () => authWithoutSession(env, headers).resend({ type: "signup", email, options: { captchaToken } }));
}

/** Has a link to choose a new password sent; an address nobody has, or one just written to, is no error. */
export async function sendResetLink({ env, headers }: Visitor, email: string, captchaToken: string | undefined): Promise<void> {
  await askForMail(env, () => authWithoutSession(env, headers).resetPasswordForEmail(email, { captchaToken }));
}

/** Answers about one address that nobody is told of. */
const aboutAddress = ["user_already_exists", "email_exists", "user_not_found"];

/** The auth service sends no mail at all for a while: until when, by installation. */
const mailIsBackAt = new WeakMap<Env, number>();

/**
 * Has the auth service write to an address. When it may send no more mails it says so only of addresses that it would have written to; so
 * that this tells nobody who has an account, every address is refused for as long as is proposed to wait.
 */
async function askForMail(env: Env, ask: () => Promise<{ error: AuthError | null }>): Promise<void> {
  const waitMs = (mailIsBackAt.get(env) ?? 0) - Date.now();
  if (waitMs > 0) throw new AppError("unavailable", { retryAfter: waitMs / 1_000, cause: "the auth service may send no more mails" });
  const { error } = await ask();
  if (!error || aboutAddress.includes(error.code ?? "") || wasJustWrittenTo(error)) return;
  const refused = fromAuth(error);
  if (error.code === "over_email_send_rate_limit") mailIsBackAt.set(env, Date.now() + (refused.details.retryAfter ?? 0) * 1_000);
  throw refused;
}

/**
 * The address at which signing in with a provider begins; what is needed to end it goes into a cookie. Afterwards the browser is at
 * /auth/callback of this origin with `code` and, when it is a path of ours, `next`.
 */
export async function beginOAuth(visit: Visit, provider: OAuthProvider, next: string | undefined): Promise<string> {
  const { env } = visit;
  if (!env.oauthProviders.includes(provider)) throw new AppError("provider_unavailable");
  const back = new URL("/auth/callback", env.publicUrl);
  const path = safeReturnPath(next, env.publicUrl);
  if (path) back.searchParams.set("next", path);
  const options = { redirectTo: back.href, skipBrowserRedirect: true };
  const { data, error } = await authOf(visit).signInWithOAuth({ provider, options });
  if (error) throw fromAuth(error);
  const { pathname, search } = new URL(data.url);
  return env.publicUrl + pathname + search; // the auth service as browsers reach it
}

/** Spends the code a provider sent the browser back with, writes the session cookie and returns the session. */
export async function endOAuth(visit: Visit, code: string): Promise<Session> {
  const { data, error } = await authOf(visit).exchangeCodeForSession(code);
  if (!error) return data.session;
  throw notSpent(error);
}

/** What a link or code that the auth service has refused is answered with: it is no good, whatever the reason, unless the fault is ours. */
function notSpent(error: unknown): AppError {
  const ours = !isAuthError(error) || isAuthRetryableFetchError(error) || (error.status ?? 0) >= 500 || error.status === 429;
  return ours ? fromAuth(error) : new AppError("link_invalid", { cause: error });
}

/**
 * Spends the link of a mail, writes the session cookie and returns the session; null when it was the first of the two links that a project
 * may want for a change of address. `hasPassword` is false when the link has confirmed an account that another browser had signed up:
 * whoever that was knows its password no more.
 */
export async function spendLink(
  visit: Visit,
  link: { token_hash: string; type: LinkType },
): Promise<{ session: Session | null; hasPassword: boolean }> {
  const opened = await openWaitingAccount(visit.env, link.token_hash, await markOf(visit));
  if (opened === null && link.type === "signup") throw new AppError("link_invalid");
  const { data, error } = await authOf(visit).verifyOtp(link);
  if (error) throw notSpent(error);
  if (!data.session && link.type !== "email_change") throw new AppError("link_invalid");
  if (opened === "known") forgetMark(visit);
  return { session: data.session, hasPassword: opened !== "unknown" };
}

type LinkType = "signup" | "email" | "recovery" | "email_change" | "magiclink" | "invite";

const offerKeptMs = 10_000;

/** Answers who can sign up; null while the database does not answer. Kept for ten seconds, as every visit of the app asks. */
export function createSignUpOfferReader(): (env: Env) => Promise<SignUpOffer | null> {
  let kept: { offer: SignUpOffer; until: number } | null = null;
  return async (env) => {
    if (kept !== null && kept.until > Date.now()) return kept.offer;
    try {
      const offer = await rows(databaseWithoutSession(env).rpc("read_sign_up_offer"));
      kept = { offer, until: Date.now() + offerKeptMs };
      return offer;
    } catch (error) {
      if (error instanceof AppError && error.code === "unavailable") return null;
      throw error;
    }
  };
}

/** Checks the current password and allows one change to this address. Throws validation_failed with the field that is wrong. */
export async function requestEmailChange(db: Database, change: { email: string; password: string }): Promise<void> {
  if (!(await rows(db.rpc("request_email_change", change))))
    throw new AppError("validation_failed", { fields: { password: wrongPassword } });
}

/** Deletes the caller's account for good. Throws validation_failed for a wrong password, owner_required for an owner of a workspace. */
export async function deleteAccount(db: Database, password: string): Promise<void> {
  if (!(await rows(db.rpc("delete_account", { password }))))
    throw new AppError("validation_failed", { fields: { password: wrongPassword } });
}

const wrongPassword = "This isn't your current password";

/**
 * Has the auth service send the link that confirms a new email address. An address that has an account is answered like any other (product
 * decision 15). auth-js changes only the account of a session that it keeps itself.
 */
export async function sendEmailChangeLink({ env, headers }: Visitor, token: string, email: string): Promise<void> {
  const answer = await fetch(`${env.supabaseUrl}/auth/v1/user`, {
    method: "PUT",
    headers: {
      ...callerHeaders(env, headers),
      apikey: env.publishableKey,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ email }),
  }).catch((error: unknown) => {
    throw notNow(error);
  });
  const body = (await answer.json().catch(() => ({}))) as { error_code?: string; msg?: string };
  if (answer.ok || aboutAddress.includes(body.error_code ?? "")) return;
  throw fromAuth(new AuthApiError(body.msg ?? "", answer.status, body.error_code));
}

/** Undoes a change of email address with the link that the old one got; answers the address that counts again. */
export async function takeBackEmail(env: Env, token: string): Promise<string> {
  const email = await undoEmailChange(env, token);
  if (email === null) throw new AppError("link_invalid");
  return email;
}

/**
 * Ends this session at the auth service and in the browser; the browser's part happens whatever the service says. A token that has run out ends
 * nothing, so it is renewed first, as for any call. Throws when the session may go on: nobody shall believe that it has ended then.
 */
export async function signOut({ env, cookies, headers }: Visit, readSession: ReadSession): Promise<void> {
  cookies.clear();
  const renewed = new SessionCookies(headers.get("cookie"), env.publicUrl.startsWith("https:")); // which this browser does not get
  const session = await readSession({ headers }, renewed);
  if (!session && bearerToken(headers) !== null) throw new AppError("unauthenticated"); // nothing here can renew it
  if (!session) return;
  const deadline = AbortSignal.timeout(authPatienceMs);
  const auth = authWithoutSession(env, headers, (input, init) => fetch(input, { ...init, signal: deadline }));
  const { error } = await auth.admin.signOut(session.user.token, "local");
  if (!error || hasEnded(error)) return;
  throw error.status === 429 ? fromAuth(error) : notNow(error);
}
