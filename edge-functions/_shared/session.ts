import { isAuthSessionMissingError, type AuthError } from "@supabase/supabase-js";
import { endedSessionCodes } from "#contract/auth.ts";
import { bearerToken } from "./bearer-token.ts";
import { clientAddress } from "./client-address.ts";
import { authFor } from "./clients.ts";
import { SessionCookies } from "./cookies.ts";
import type { Env } from "./env.ts";
import { AppError } from "./errors.ts";
import type { RateLimiter } from "./rate-limits.ts";
import type { Identity, VerifyToken } from "./tokens.ts";

/** Who makes a request. `byCookie` decides whether a write needs our own Origin. */
export interface Session {
  user: Identity;
  byCookie: boolean;
}

/**
 * Reads who makes a request: `Authorization: Bearer` if there is one, else the session cookie, renewed when it is about to end. Null without a
 * session, or when it has ended; throws `unauthenticated` for a cookie whose token is not ours to renew.
 */
export type ReadSession = (request: Pick<Request, "headers">, cookies: SessionCookies) => Promise<Session | null>;

const renewalMarginMs = 90_000; // what supabase-js takes too
const renewalSharedMs = 10_000; // GoTrue's own interval for a token that is used twice
export const authPatienceMs = 3_000; // auth-js alone would try for half a minute
const failureSharedMs = 2_000; // nobody waits for an auth service that has just failed

interface Renewal {
  token: string | null;
  cookies: readonly string[];
}

export function createSessionReader(env: Env, verify: VerifyToken, limiter: Pick<RateLimiter, "count">): ReadSession {
  const renewals = new Map<string, Promise<Renewal>>();

  /** The auth service sees all renewals come from one address, and refuses everybody when they are too many. */
  const countAndRenew = async (person: string, headers: Headers): Promise<Renewal> => {
    const address = clientAddress(headers, env.trustedProxies);
    await limiter.count("renewal", { accountAtAddress: `${person} ${address}`, person, address });
    return await renewSession(env, headers);
  };

  /** Requests that arrive together with the same old session share one renewal; a refresh token works once. */
  const renew = (refreshToken: string, person: string, headers: Headers): Promise<Renewal> => {
    const running = renewals.get(refreshToken);
    if (running) return running;
    const renewal = countAndRenew(person, headers);
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
    const owner = await verify(stored.access_token, { ignoreExpiration: true });
    if (!owner) throw new AppError("unauthenticated"); // anybody can write such a cookie: the auth service is not asked
    const leftMs = owner.expiresAt - Date.now();
    if (leftMs > renewalMarginMs) return asSession(owner, true);
    const current = leftMs > 0 ? owner : null;
    const renewed = await renew(stored.refresh_token, owner.id, request.headers).catch((error: unknown) => {
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
