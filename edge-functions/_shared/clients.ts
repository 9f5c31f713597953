import { createServerClient } from "@supabase/ssr";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database as Schema } from "#contract/database.ts";
import { sessionCookie } from "#contract/session-cookies.ts";
import { forwardedAddress } from "./client-address.ts";
import type { SessionCookies } from "./cookies.ts";
import type { Env } from "./env.ts";
import { RestDatabase, type Told } from "./rest.ts";

/** The database with one person's token, and the files; what speaks with Storage is made when it is asked for. */
export class Database extends RestDatabase {
  readonly #env: Env;
  readonly #token: string;

  constructor(env: Env, token: string, told: Told = {}) {
    super(env, token, told);
    this.#env = env;
    this.#token = token;
  }

  get storage(): SupabaseClient["storage"] {
    const accessToken = () => Promise.resolve(this.#token);
    return createClient(this.#env.supabaseUrl, this.#env.publishableKey, { accessToken }).storage;
  }
}

/** What auth-js keeps for each of several sign-ins under way; ours comes back with its code only, so the last one counts. */
const ofOneFlow = /-flow(s|-\w+)-code-verifier(\.\d+)?$/;

/** Options of a client without a session: it neither keeps nor renews one. */
export const withoutSession = { auth: { persistSession: false, autoRefreshToken: false } };

/** supabase-js as a stranger, role anon. */
export function databaseWithoutSession(env: Env): SupabaseClient<Schema> {
  return createClient<Schema>(env.supabaseUrl, env.publishableKey, withoutSession);
}

/**
 * For whom the auth service is asked: their User-Agent is kept with the session, and what they ask too often is counted by their address
 * instead of ours, where the project believes Sb-Forwarded-For (docs/self-hosting.md). The key stays the publishable one: with the secret
 * key as authorization the service would leave the bot check out.
 */
export function callerHeaders({ trustedProxies }: Env, headers: Headers): Record<string, string> {
  const browser = headers.get("user-agent");
  const address = forwardedAddress(headers, trustedProxies);
  return { ...(browser !== null && { "user-agent": browser }), ...(address !== "" && { "sb-forwarded-for": address }) };
}

/** The auth client of one request: writes the answer's session cookie, and does not see the request's. */
export function authFor(env: Env, cookies: SessionCookies, headers: Headers, send?: typeof fetch): SupabaseClient["auth"] {
  const client = createServerClient(env.supabaseUrl, env.publishableKey, {
    global: { headers: callerHeaders(env, headers), fetch: send },
    cookieOptions: { name: sessionCookie },
    cookies: { getAll: () => cookies.withoutSession(), setAll: (list) => cookies.write(list.filter(({ name }) => !ofOneFlow.test(name))) },
  });
  return client.auth;
}

/** An auth client without a session and without cookies, for one request. */
export function authWithoutSession(env: Env, headers: Headers, send?: typeof fetch): SupabaseClient["auth"] {
  const global = { headers: callerHeaders(env, headers), fetch: send };
  return createClient(env.supabaseUrl, env.publishableKey, { ...withoutSession, global }).auth;
}
