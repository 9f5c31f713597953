import { PostgrestClient } from "@supabase/postgrest-js";
import type { Database } from "#contract/database.ts";
import { passHeader } from "#contract/services-pass.ts";
import type { Env } from "./env.ts";

/** The database's API is next door: packing and unpacking its answers takes longer than carrying them. */
const nearby = { "accept-encoding": "identity" };

/** Shows the embedded stack whose call it is: contract/services-pass.ts. */
export const passOf = ({ servicesPass }: Env): Record<string, string> => (servicesPass === null ? {} : { [passHeader]: servicesPass });

/** What the database is told of a request. */
export interface Told {
  requestId?: string | undefined;
  network?: string | undefined;
}

/**
 * The database with one person's token: row-level security decides what it sees. Of supabase-js only the part that speaks with
 * PostgREST, made anew for each request.
 */
export class RestDatabase extends PostgrestClient<Database> {
  /** `requestId` stands beside the request's statements in Postgres' log (docs/operations.md), `network` in the audit log (network-seal.ts). */
  constructor(env: Env, token: string, { requestId, network }: Told = {}) {
    const told = { ...(requestId && { "x-caused-by": requestId }), ...(network && { "x-tidings-network": network }) };
    const caller = { apikey: env.publishableKey, authorization: `Bearer ${token}`, ...passOf(env) };
    super(`${env.supabaseUrl}/rest/v1`, { headers: { ...nearby, ...caller, ...told } });
  }
}
