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

/** `byCookie`: writes need our Origin. */
export interface Session {
  user: Identity;
  byCookie: boolean;
}

/** Bearer token, else the cookie, renewed before expiry. null without a session; throws unauthenticated for a foreign token. */
export type ReadSession = (request: Pick<Request, "headers">, cookies: SessionCookies) => Promise<Session | null>;

const renewalMarginMs = 90_000;
const renewalSharedMs = 10_000; // reuse interval of GoTrue's refresh tokens
export const authPatienceMs = 3_000; // auth-js alone would retry for half a minute
const failureSharedMs = 2_000;

interface Renewal {
  token: string | null;
  cookies: readonly string[];
}

export function createSessionReader(env: Env, verify: VerifyToken, limiter: Pick<RateLimiter, "count">): ReadSession {
  const renewals = new Map<string, Promise<Renewal>>();

  /** The auth service counts all renewals under our address, so they're limited here. */
  const countAndRenew = async (person: string, headers: Headers): Promise<Renewal> => {
    const address = clientAddress(headers, env.trustedProxies);
    await limiter.count("renewal", { accountAtAddress: `${person} ${address}`, person, address });
    return await renewSession(env, headers);
  };

  /** Concurrent requests share a renewal: refresh tokens are single-use. */
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
    if (!owner) throw new AppError("unauthenticated"); // a forged cookie must not reach the auth service
    const leftMs = owner.expiresAt - Date.now();
    if (leftMs > renewalMarginMs) return asSession(owner, true);
    const current = leftMs > 0 ? owner : null;
    const renewed = await renew(stored.refresh_token, owner.id, request.headers).catch((error: unknown) => {
      if (!current) throw error;
      return { token: null, cookies: [] };
    });
    if (renewed.token === null) return asSession(current, true);
    cookies.append(renewed.cookies);
    return asSession(await verify(renewed.token), true);
  };
}

/** `token` null: the session ended. The cookie stays, as a concurrent response may be replacing it. */
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

/** Temporary: the person stays signed in and can retry. */
export const notNow = (cause: unknown) => new AppError("unavailable", { retryAfter: failureSharedMs / 1_000, cause });

const failsAt = (deadline: AbortSignal) =>
  new Promise<never>((_, reject) => {
    deadline.addEventListener("abort", () => reject(notNow(deadline.reason)));
  });

/** auth-js has its own error without a code for session_not_found and a missing refresh token. */
export const hasEnded = (error: AuthError | null): boolean =>
  isAuthSessionMissingError(error) || endedSessionCodes.includes(error?.code ?? "none");

function asSession(user: Identity | null, byCookie: boolean): Session | null {
  return user && { user, byCookie };
}
