import { isAuthSessionMissingError, type AuthError } from "@supabase/supabase-js";
import { endedSessionCodes } from "#contract/auth.ts";
import { bearerToken } from "./bearer-token.ts";
import { authFor } from "./clients.ts";
import { SessionCookies } from "./cookies.ts";
import type { Env } from "./env.ts";
import { AppError } from "./errors.ts";
import type { Identity, VerifyToken } from "./tokens.ts";

/** Who makes a request. `byCookie` decides whether a write needs our own Origin. */
export interface Session {
  user: Identity;
  byCookie: boolean;
}

/** Reads who makes a request: `Authorization: Bearer` if there is one, else the session cookie, renewed when it is about to end. */
export type ReadSession = (request: Pick<Request, "headers">, cookies: SessionCookies) => Promise<Session | null>;

const renewalMarginMs = 90_000; // what supabase-js takes too
const renewalSharedMs = 10_000; // GoTrue's own interval for a token that is used twice
export const authPatienceMs = 3_000; // auth-js alone would try for half a minute
const failureSharedMs = 2_000; // nobody waits for an auth service that has just failed

interface Renewal {
  token: string | null;
  cookies: readonly string[];
}

export function createSessionReader(env: Env, verify: VerifyToken): ReadSession {
  const renewals = new Map<string, Promise<Renewal>>();

  /** Requests that arrive together with the same old session share one renewal; a refresh token works once. */
  const renew = (refreshToken: string, headers: Headers): Promise<Renewal> => {
    const running = renewals.get(refreshToken);
    if (running) return running;
    const renewal = renewSession(env, headers);
    renewals.set(refreshToken, renewal);
    const forget = () => renewals.delete(refreshToken);
    renewal.then(
      () => setTimeout(forget, renewalSharedMs),
      () => setTimeout(forget, failureSharedMs),
    );
    return renewal;
  };

  return async (request, cookies) => {
    const bearer = bearerToken(request.headers);
    if (bearer !== null) return asSession(await verify(bearer), false);
    const stored = cookies.stored();
    if (!stored) return null;
    const current = await verify(stored.access_token);
    if (current && current.expiresAt - Date.now() > renewalMarginMs) return asSession(current, true);
    const renewed = await renew(stored.refresh_token, request.headers).catch((error: unknown) => {
      if (!current) throw error;
      return { token: null, cookies: [] }; // the old token still holds for a moment
    });
    if (renewed.token === null) return asSession(current, true);
    cookies.append(renewed.cookies);
    return asSession(await verify(renewed.token), true);
  };
}

/** The token is null when the session has ended. The cookie is left alone then: a newer answer may just be replacing it. */
async function renewSession(env: Env, headers: Headers): Promise<Renewal> {
  const cookies = new SessionCookies(headers.get("cookie"), env.publicUrl.startsWith("https:"));
  const stored = cookies.stored();
  const deadline = AbortSignal.timeout(authPatienceMs);
  const auth = authFor(env, cookies, headers, (input, init) => fetch(input, { ...init, signal: deadline }));
  const renewal = auth.refreshSession({ refresh_token: stored?.refresh_token ?? "" });
  const { data, error } = await Promise.race([renewal, failsAt(deadline)]);
  if (data.session) return { token: data.session.access_token, cookies: cookies.lines() };
  if (hasEnded(error)) return { token: null, cookies: [] };
  throw notNow(error);
}

/** A refusal for any other reason is nothing the person did or could mend: they stay signed in, and try again. */
export const notNow = (cause: unknown) => new AppError("unavailable", { retryAfter: failureSharedMs / 1_000, cause });

const failsAt = (deadline: AbortSignal) =>
  new Promise<never>((_, reject) => {
    deadline.addEventListener("abort", () => reject(notNow(deadline.reason)));
  });

/** auth-js has an error of its own, without a code, for session_not_found and for a missing refresh token. */
export const hasEnded = (error: AuthError | null): boolean =>
  isAuthSessionMissingError(error) || endedSessionCodes.includes(error?.code ?? "none");

function asSession(user: Identity | null, byCookie: boolean): Session | null {
  return user && { user, byCookie };
}
