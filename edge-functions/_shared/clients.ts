import { createServerClient } from "@supabase/ssr";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { sessionCookie } from "#contract/auth.ts";
import type { SessionCookies } from "./cookies.ts";
import type { Env } from "./env.ts";

/** The database's API is next door: packing and unpacking its answers takes longer than carrying them. */
const nearby = { "accept-encoding": "identity" };

/** supabase-js speaking with one person's token: row-level security decides what it sees. */
export type Database = SupabaseClient;

/** With a request's id, that stands beside its statements in Postgres' log (docs/operations.md). */
export function databaseFor(env: Env, token: string, requestId?: string): Database {
  const headers = { ...nearby, ...(requestId && { "x-caused-by": requestId }) };
  return createClient(env.supabaseUrl, env.publishableKey, { accessToken: () => Promise.resolve(token), global: { headers } });
}

/** What auth-js keeps for each of several sign-ins under way; ours comes back with its code only, so the last one counts. */
const ofOneFlow = /-flow(s|-\w+)-code-verifier(\.\d+)?$/;

/** Options of a client that is nobody's: it neither keeps a session nor renews one. */
export const withoutSession = { auth: { persistSession: false, autoRefreshToken: false } };

/** supabase-js as a stranger, role anon. */
export function databaseWithoutSession(env: Env): Database {
  return createClient(env.supabaseUrl, env.publishableKey, withoutSession);
}

/** The auth client of one request: reads its session cookie, writes the answer's. `browser`, its User-Agent, is kept with the session. */
export function authFor(env: Env, cookies: SessionCookies, browser: string | null = null): SupabaseClient["auth"] {
  const client = createServerClient(env.supabaseUrl, env.publishableKey, {
    global: { headers: browser === null ? {} : { "user-agent": browser } },
    cookieOptions: { name: sessionCookie },
    cookies: { getAll: () => [...cookies.received], setAll: (list) => cookies.write(list.filter(({ name }) => !ofOneFlow.test(name))) },
  });
  return client.auth;
}

/** An auth client without a session and without cookies. */
export function authWithoutSession(env: Env): SupabaseClient["auth"] {
  return databaseWithoutSession(env).auth;
}
