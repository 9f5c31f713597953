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

export type Visitor = Pick<Visit, "env" | "headers">;

export interface Visit {
  env: Env;
  cookies: SessionCookies;
  headers: Headers;
}

const authOf = ({ env, cookies, headers }: Visit) => authFor(env, cookies, headers);

export async function signIn(visit: Visit, { email, password, captchaToken }: Credentials): Promise<Session> {
  const { data, error } = await authOf(visit).signInWithPassword({ email, password, options: { captchaToken } });
  if (error) throw fromAuth(error);
  return data.session;
}

/** Best effort: a failed entry must not block signing in; a job adds it within the hour, without the network (81-audit.sql). */
export async function noteSignIn(db: Database): Promise<void> {
  await db.rpc("note_sign_in").then(
    () => undefined,
    () => undefined,
  );
}

export interface NewAccount extends Credentials {
  data: { full_name: string; company_name?: string; signup_browser: string; invitation?: string };
}

/** Creates an unconfirmed account and sends the email. No effect and no error for a known address. */
export async function signUp({ env, headers }: Visitor, { email, password, captchaToken, data }: NewAccount): Promise<void> {
  await askForMail(env, () => authWithoutSession(env, headers).signUp({ email, password, options: { captchaToken, data } }));
}

/** No error for an address without a pending sign-up or one that was just emailed. */
export async function sendConfirmationAgain({ env, headers }: Visitor, email: string, captchaToken: string | undefined): Promise<void> {
  await askForMail(env, () => authWithoutSession(env, headers).resend({ type: "signup", email, options: { captchaToken } }));
}

/** No error for an unknown address or one that was just emailed. */
export async function sendResetLink({ env, headers }: Visitor, email: string, captchaToken: string | undefined): Promise<void> {
  await askForMail(env, () => authWithoutSession(env, headers).resetPasswordForEmail(email, { captchaToken }));
}

const aboutAddress = ["user_already_exists", "email_exists", "user_not_found"];

const mailIsBackAt = new WeakMap<Env, number>();

/** The auth service's email limit would reveal accounts, so every address is refused during the proposed cooldown. */
async function askForMail(env: Env, ask: () => Promise<{ error: AuthError | null }>): Promise<void> {
  const waitMs = (mailIsBackAt.get(env) ?? 0) - Date.now();
  if (waitMs > 0) throw new AppError("unavailable", { retryAfter: waitMs / 1_000, cause: "the auth service reached its email limit" });
  const { error } = await ask();
  if (!error || aboutAddress.includes(error.code ?? "") || wasJustWrittenTo(error)) return;
  const refused = fromAuth(error);
  if (error.code === "over_email_send_rate_limit") mailIsBackAt.set(env, Date.now() + (refused.details.retryAfter ?? 0) * 1_000);
  throw refused;
}

/** PKCE: the verifier goes into a cookie. The provider returns to /auth/callback with `code` and, if it's our own path, `next`. */
export async function beginOAuth(visit: Visit, provider: OAuthProvider, next: string | undefined): Promise<string> {
  const { env } = visit;
  if (!env.oauthProviders.includes(provider)) throw new AppError("provider_unavailable");
  const callback = new URL("/auth/callback", env.publicUrl);
  const path = safeReturnPath(next, env.publicUrl);
  if (path) callback.searchParams.set("next", path);
  const options = { redirectTo: callback.href, skipBrowserRedirect: true };
  const { data, error } = await authOf(visit).signInWithOAuth({ provider, options });
  if (error) throw fromAuth(error);
  const { pathname, search } = new URL(data.url);
  return env.publicUrl + pathname + search;
}

export async function endOAuth(visit: Visit, code: string): Promise<Session> {
  const { data, error } = await authOf(visit).exchangeCodeForSession(code);
  if (!error) return data.session;
  throw notSpent(error);
}

/** Hides the reason unless it's our fault. */
function notSpent(error: unknown): AppError {
  const ours = !isAuthError(error) || isAuthRetryableFetchError(error) || (error.status ?? 0) >= 500 || error.status === 429;
  return ours ? fromAuth(error) : new AppError("link_invalid", { cause: error });
}

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

export function createSignUpOfferReader(): (env: Env) => Promise<SignUpOffer | null> {
  let cached: { offer: SignUpOffer; until: number } | null = null;
  return async (env) => {
    if (cached !== null && cached.until > Date.now()) return cached.offer;
    try {
      const offer = await rows(databaseWithoutSession(env).rpc("read_sign_up_offer"));
      cached = { offer, until: Date.now() + offerKeptMs };
      return offer;
    } catch (error) {
      if (error instanceof AppError && error.code === "unavailable") return null;
      throw error;
    }
  };
}

export async function requestEmailChange(db: Database, change: { email: string; password: string }): Promise<void> {
  if (!(await rows(db.rpc("request_email_change", change))))
    throw new AppError("validation_failed", { fields: { password: wrongPassword } });
}

/** Throws validation_failed for a wrong password, owner_required for an owner. */
export async function deleteAccount(db: Database, password: string): Promise<void> {
  if (!(await rows(db.rpc("delete_account", { password }))))
    throw new AppError("validation_failed", { fields: { password: wrongPassword } });
}

const wrongPassword = "This isn't your current password";

/** An address with an account gets the same response (decision 15). */
export async function sendEmailChangeLink(visitor: Visitor, token: string, email: string): Promise<void> {
  const error = await updateUser(visitor, token, { email });
  if (error && !aboutAddress.includes(error.code ?? "")) throw fromAuth(error);
}

export async function requireCurrentPassword(db: Database, password: string): Promise<void> {
  if (!(await rows(db.rpc("may_change_password", { current_password: password }))))
    throw new AppError("validation_failed", { fields: { currentPassword: wrongPassword } });
}

/** Ends the person's other sessions. */
export async function changePassword(visitor: Visitor, token: string, password: string): Promise<void> {
  const error = await updateUser(visitor, token, { password });
  if (error?.code === "same_password") throw new AppError("validation_failed", { fields: { password: error.message } });
  if (error) throw fromAuth(error);
}

/** A raw request: auth-js only updates the session it manages. */
async function updateUser({ env, headers }: Visitor, token: string, changes: object): Promise<AuthApiError | null> {
  const answer = await fetch(`${env.supabaseUrl}/auth/v1/user`, {
    method: "PUT",
    headers: {
      ...callerHeaders(env, headers),
      apikey: env.publishableKey,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(changes),
  }).catch((error: unknown) => {
    throw notNow(error);
  });
  if (answer.ok) return null;
  const body = (await answer.json().catch(() => ({}))) as { error_code?: string; msg?: string };
  return new AuthApiError(body.msg ?? "", answer.status, body.error_code);
}

export async function takeBackEmail(env: Env, token: string): Promise<string> {
  const email = await undoEmailChange(env, token);
  if (email === null) throw new AppError("link_invalid");
  return email;
}

/**
 * Always clears the browser's cookies. An expired token is renewed first, as it can't end a session. The ended session's token; null if there
 * was none. Throws if the session may continue.
 */
export async function signOut({ env, cookies, headers }: Visit, readSession: ReadSession): Promise<string | null> {
  cookies.clear();
  const renewed = new SessionCookies(headers.get("cookie"), env.publicUrl.startsWith("https:"));
  const session = await readSession({ headers }, renewed);
  if (!session && bearerToken(headers) !== null) throw new AppError("unauthenticated");
  if (!session) return null;
  const deadline = AbortSignal.timeout(authPatienceMs);
  const auth = authWithoutSession(env, headers, (input, init) => fetch(input, { ...init, signal: deadline }));
  const { error } = await auth.admin.signOut(session.user.token, "local");
  if (!error || hasEnded(error)) return session.user.token;
  throw error.status === 429 ? fromAuth(error) : notNow(error);
}
