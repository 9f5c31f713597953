import type { SupabaseClient } from "@supabase/supabase-js";
import { sessionCookie } from "#contract/auth.ts";
import { loadConfig } from "./config.ts";

let client: Promise<SupabaseClient> | undefined;

/**
 * The browser's Supabase client on the session cookie shared with the server; loaded at the first call, then shared.
 * It never renews the session itself: any call under /api does, and keeps to 'Remember me'. Throws ApiError when the configuration cannot be read.
 */
export function supabaseBrowser(): Promise<SupabaseClient> {
  client ??= create().catch((error: unknown) => {
    client = undefined;
    throw error;
  });
  return client;
}

async function create(): Promise<SupabaseClient> {
  const [{ createBrowserClient }, { supabaseKey }] = await Promise.all([import("@supabase/ssr"), loadConfig()]);
  return createBrowserClient(location.origin, supabaseKey, { cookieOptions: { name: sessionCookie }, auth: { autoRefreshToken: false } });
}
