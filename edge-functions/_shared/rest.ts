import { PostgrestClient } from "@supabase/postgrest-js";
import type { Database } from "#contract/database.ts";
import type { Env } from "./env.ts";

/** The database's API is next door: packing and unpacking its answers takes longer than carrying them. */
const nearby = { "accept-encoding": "identity" };

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
    const caller = { apikey: env.publishableKey, authorization: `Bearer ${token}` };
    super(`${env.supabaseUrl}/rest/v1`, { headers: { ...nearby, ...caller, ...told }, fetch: askUntilServed });
  }
}

/** Between one attempt and the next, in milliseconds; each about so long, so that two do not meet again. */
const pausesMs = [30, 100, 300];
/** deadlock_detected and serialization_failure: Postgres has ended one of several transactions for the others' sake, and nothing of it is done. */
const isGivenUp = /"code"\s*:\s*"(?:40P01|40001)"/;

/** As fetch; a call that the database gave up for another one's sake is made again. */
export async function askUntilServed(address: RequestInfo | URL, options?: RequestInit): Promise<Response> {
  for (const pauseMs of pausesMs) {
    const answer = await fetch(address, options);
    if (answer.status < 400 || !isGivenUp.test(await answer.clone().text())) return answer;
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
  }
  return fetch(address, options);
}
