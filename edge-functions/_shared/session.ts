import { isAuthRetryableFetchError } from "@supabase/supabase-js";
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
export type ReadSession = (request: Request, cookies: SessionCookies) => Promise<Session | null>;

const renewalMarginMs = 90_000; // what supabase-js takes too
const renewalSharedMs = 10_000; // GoTrue's own interval for a token that is used twice

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
    renewal.then(() => setTimeout(forget, renewalSharedMs), forget);
    return renewal;
  };

  return async (request, cookies) => {
    const bearer = bearerToken(request.headers);
    if (bearer !== null) return asSession(await verify(bearer), false);
    const stored = await cookies.stored();
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

/** Null when the session has ended. The cookie is left alone then: a newer answer may just be replacing it. */
async function renewSession(env: Env, headers: Headers): Promise<Renewal> {
  const cookies = new SessionCookies(headers.get("cookie"), env.publicUrl.startsWith("https:"));
  const stored = await cookies.stored();
  const { data, error } = await authFor(env, cookies, headers.get("user-agent")).refreshSession({
    refresh_token: stored?.refresh_token ?? "",
  });
  if (isAuthRetryableFetchError(error)) throw new AppError("unavailable", { retryAfter: 1, cause: error });
  return data.session ? { token: data.session.access_token, cookies: cookies.lines() } : { token: null, cookies: [] };
}

/** The token of `Authorization: Bearer`, or null. */
export function bearerToken(headers: Headers): string | null {
  return /^bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
}

function asSession(user: Identity | null, byCookie: boolean): Session | null {
  return user && { user, byCookie };
}
