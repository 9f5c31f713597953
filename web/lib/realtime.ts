import type { RealtimeClient } from "@supabase/realtime-js";
import { profileEndpoints } from "#contract/profile.ts";
import { cookiesIn, storedSession, type StoredSession } from "#contract/stored-session.ts";
import { call } from "./api-client.ts";
import { loadConfig } from "./config.ts";

/** The session that the browser shares with the server. */
export const currentSession = (): StoredSession | null => storedSession(cookiesIn(document.cookie));

let client: Promise<RealtimeClient> | undefined;

/** Realtime with the session's token, loaded once. Throws ApiError without the configuration. */
export function realtimeClient(): Promise<RealtimeClient> {
  client ??= create().catch((error: unknown) => {
    client = undefined;
    throw error;
  });
  return client;
}

async function create(): Promise<RealtimeClient> {
  const [{ RealtimeClient: Client }, { supabaseKey }] = await Promise.all([import("@supabase/realtime-js"), loadConfig()]);
  return new Client(`${location.origin.replace("http", "ws")}/realtime/v1`, { params: { apikey: supabaseKey }, accessToken });
}

const renewalMs = 80_000; // more than a heartbeat, less than when the server renews

/** Asked on connect and on each heartbeat. */
async function accessToken(): Promise<string | null> {
  const session = currentSession();
  if (session && session.expires_at * 1_000 - Date.now() < renewalMs) await call(profileEndpoints.me).catch(() => undefined); // any call renews it
  return currentSession()?.access_token ?? null;
}
