import { readConfig } from "../config.ts";
import type { Environment } from "../environment.ts";

/** Public default keys of the Supabase CLI's local stack. */
const keys = {
  SUPABASE_PUBLISHABLE_KEY: "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH",
  SUPABASE_SECRET_KEY: "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz",
  JWT_SECRET: "super-secret-jwt-token-with-at-least-32-characters-long",
};

/** `npm run dev:supabase`: environment of the stack of `supabase start`, unless set. */
export function cliProject(env: Environment): Record<string, string> {
  const { api, db } = readConfig();
  const usual = {
    ...keys,
    SUPABASE_URL: `http://127.0.0.1:${api.port}`,
    SUPABASE_DB_URL: `postgresql://postgres:postgres@127.0.0.1:${db.port}/postgres`,
    TIDINGS_DATA_DIR: ".data/supabase",
  };
  const entries = Object.entries(usual).map(([name, value]): [string, string] => [name, env[name] || value]);
  return { TIDINGS_BACKEND: "supabase", TIDINGS_SEED: "none", ...Object.fromEntries(entries) };
}
