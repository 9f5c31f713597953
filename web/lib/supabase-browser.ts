import type { CookieMethodsBrowser } from "@supabase/ssr";
import type { SupabaseClient } from "@supabase/supabase-js";
import { endedSessionCodes } from "#contract/auth.ts";
import { rememberCookie, sessionCookie } from "#contract/session-cookies.ts";
import { loadConfig } from "./config.ts";

let client: Promise<SupabaseClient> | undefined;

/**
 * The browser's Supabase client on the session cookie shared with the server; loaded at the first call, then shared.
 * It renews a session that is about to end when it is asked for it, and keeps to 'Remember me' as the server does (product decision 15).
 * Throws ApiError when the configuration cannot be read.
 */
export function supabaseBrowser(): Promise<SupabaseClient> {
  client ??= create().catch((error: unknown) => {
    client = undefined;
    throw error;
  });
  return client;
}

async function create(): Promise<SupabaseClient> {
  const [ssr, { supabaseKey }] = await Promise.all([import("@supabase/ssr"), loadConfig()]);
  return ssr.createBrowserClient(location.origin, supabaseKey, {
    cookieOptions: { name: sessionCookie },
    cookies: sessionCookies(ssr),
    auth: { autoRefreshToken: false },
    global: { fetch: keepingSession },
  });
}

/**
 * auth-js deletes the cookie of a session whose renewal was refused, for whatever reason. Unless the session is over, the refusal is shown to
 * it as a service that is away: then it tries again, and keeps the cookie.
 */
const keepingSession: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const isRenewal = String(input).includes("/auth/v1/token?grant_type=refresh_token");
  if (!isRenewal || answer.ok || answer.status >= 500) return answer;
  const { code, error_code } = ((await answer
    .clone()
    .json()
    .catch(() => null)) ?? {}) as Record<string, unknown>;
  const isOver = [code, error_code].some((each) => endedSessionCodes.includes(String(each)));
  return isOver ? answer : new Response(answer.body, { status: 503 });
};

type CookieFormat = Pick<typeof import("@supabase/ssr"), "parseCookieHeader" | "serializeCookieHeader">;

/** The page's cookies, written with the attributes that the server gives them (edge-functions/_shared/cookies.ts). */
function sessionCookies({ parseCookieHeader, serializeCookieHeader }: CookieFormat): CookieMethodsBrowser {
  const getAll = () => parseCookieHeader(document.cookie).map(({ name, value = "" }) => ({ name, value }));
  return {
    getAll,
    setAll(list) {
      const remembered = getAll().every(({ name, value }) => name !== rememberCookie || value !== "0");
      for (const { name, value, options } of list) {
        const { maxAge, expires, ...attributes } = { ...options, secure: location.protocol === "https:" };
        const lifetime = value === "" || remembered ? { maxAge, expires } : {};
        document.cookie = serializeCookieHeader(name, value, { ...attributes, ...lifetime });
      }
    },
  };
}
