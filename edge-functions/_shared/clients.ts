import { createServerClient } from "@supabase/ssr";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database as Schema } from "#contract/database.ts";
import { sessionCookie } from "#contract/session-cookies.ts";
import { forwardedAddress } from "./client-address.ts";
import type { SessionCookies } from "./cookies.ts";
import type { Env } from "./env.ts";
import { RestDatabase, type Tracing } from "./rest.ts";

export class Database extends RestDatabase {
  readonly #env: Env;
  readonly #token: string;

  constructor(env: Env, token: string, origin: Tracing = {}) {
    super(env, token, origin);
    this.#env = env;
    this.#token = token;
  }

  get storage(): SupabaseClient["storage"] {
    const accessToken = () => Promise.resolve(this.#token);
    return createClient(this.#env.supabaseUrl, this.#env.publishableKey, { accessToken }).storage;
  }
}

/** auth-js supports several concurrent PKCE flows; we only need the latest. */
const ofOneFlow = /-flow(s|-\w+)-code-verifier(\.\d+)?$/;

const withoutSession = { auth: { persistSession: false, autoRefreshToken: false } };

export function databaseWithoutSession(env: Env): SupabaseClient<Schema> {
  return createClient<Schema>(env.supabaseUrl, env.publishableKey, withoutSession);
}

/** Bypasses row-level security. */
export function serviceClient(env: Pick<Env, "supabaseUrl" | "secretKey">): SupabaseClient<Schema> {
  return createClient<Schema>(env.supabaseUrl, env.secretKey, withoutSession);
}

/**
 * Forwards User-Agent and client address: otherwise sessions lack the browser, and rate limits count our address (if the project trusts
 * Sb-Forwarded-For, docs/self-hosting.md). Uses the publishable key: with the secret key GoTrue skips the bot check.
 */
export function callerHeaders({ trustedProxies }: Env, headers: Headers): Record<string, string> {
  const browser = headers.get("user-agent");
  const address = forwardedAddress(headers, trustedProxies);
  return { ...(browser !== null && { "user-agent": browser }), ...(address !== "" && { "sb-forwarded-for": address }) };
}

export function authFor(env: Env, cookies: SessionCookies, headers: Headers, send?: typeof fetch): SupabaseClient["auth"] {
  const client = createServerClient(env.supabaseUrl, env.publishableKey, {
    global: { headers: callerHeaders(env, headers), fetch: send },
    cookieOptions: { name: sessionCookie },
    cookies: { getAll: () => cookies.withoutSession(), setAll: (list) => cookies.write(list.filter(({ name }) => !ofOneFlow.test(name))) },
  });
  return client.auth;
}

export function authWithoutSession(env: Env, headers: Headers, send?: typeof fetch): SupabaseClient["auth"] {
  const global = { headers: callerHeaders(env, headers), fetch: send };
  return createClient(env.supabaseUrl, env.publishableKey, { ...withoutSession, global }).auth;
}
