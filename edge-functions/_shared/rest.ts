import { PostgrestClient } from "@supabase/postgrest-js";
import type { Database } from "#contract/database.ts";
import type { Env } from "./env.ts";

/** The database is local: compression costs more than it saves. */
const nearby = { "accept-encoding": "identity" };

export interface Tracing {
  requestId?: string | undefined;
  network?: string | undefined;
}

export class RestDatabase extends PostgrestClient<Database> {
  /** `requestId` appears in Postgres' log (docs/operations.md), `network` in the audit log (network-seal.ts). */
  constructor(env: Env, token: string, { requestId, network }: Tracing = {}) {
    const tracing = { ...(requestId && { "x-caused-by": requestId }), ...(network && { "x-tidings-network": network }) };
    const caller = { apikey: env.publishableKey, authorization: `Bearer ${token}` };
    super(`${env.supabaseUrl}/rest/v1`, { headers: { ...nearby, ...caller, ...tracing }, fetch: askUntilServed });
  }
}

/** Backoff in milliseconds, with jitter so that two clients don't collide again. */
const pausesMs = [30, 100, 300];
/** deadlock_detected and serialization_failure: the transaction was rolled back, so it's safe to retry. */
const isGivenUp = /"code"\s*:\s*"(?:40P01|40001)"/;

/** fetch with retries on deadlocks and serialization failures. */
export async function askUntilServed(address: RequestInfo | URL, options?: RequestInit): Promise<Response> {
  for (const pauseMs of pausesMs) {
    const response = await fetch(address, options);
    if (response.status < 400 || !isGivenUp.test(await response.clone().text())) return response;
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
  }
  return fetch(address, options);
}
