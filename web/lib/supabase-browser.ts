import type { CookieMethodsBrowser } from "@supabase/ssr";
import type { SupabaseClient } from "@supabase/supabase-js";
import { endedSessionCodes } from "#contract/auth.ts";
import { rememberCookie, sessionCookie } from "#contract/session-cookies.ts";
import { loadConfig } from "./config.ts";

let client: Promise<SupabaseClient> | undefined;

/** Supabase client on the session cookie shared with the server, loaded once. Keeps 'Remember me' (product decision 15). Throws ApiError without the configuration. */
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
    global: { fetch: fetchKeepingSession },
  });
}

/** Session fix: auth-js deletes the cookie after any failed refresh. Unless the session is over, it gets a 503, so it retries and keeps the cookie. */
const fetchKeepingSession: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const isRefresh = String(input).includes("/auth/v1/token?grant_type=refresh_token");
  if (!isRefresh || response.ok || response.status >= 500) return response;
  const { code, error_code } = ((await response
    .clone()
    .json()
    .catch(() => null)) ?? {}) as Record<string, unknown>;
  const isOver = [code, error_code].some((each) => endedSessionCodes.includes(String(each)));
  return isOver ? response : new Response(response.body, { status: 503 });
};

type CookieFormat = Pick<typeof import("@supabase/ssr"), "parseCookieHeader" | "serializeCookieHeader">;

/** Cookie attributes match edge-functions/_shared/cookies.ts. */
function sessionCookies({ parseCookieHeader, serializeCookieHeader }: CookieFormat): CookieMethodsBrowser {
  const getAll = () => parseCookieHeader(document.cookie).map(({ name, value = "" }) => ({ name, value }));
  return {
    getAll,
    setAll(list) {
      const isRemembered = getAll().every(({ name, value }) => name !== rememberCookie || value !== "0");
      for (const { name, value, options } of list) {
        const { maxAge, expires, ...attributes } = { ...options, secure: location.protocol === "https:" };
        const lifetime = value === "" || isRemembered ? { maxAge, expires } : {};
        document.cookie = serializeCookieHeader(name, value, { ...attributes, ...lifetime });
      }
    },
  };
}
