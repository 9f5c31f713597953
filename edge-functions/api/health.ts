import { healthEndpoints } from "#contract/health.ts";
import { version } from "#contract/version.ts";
import type { Binder } from "../_shared/handle.ts";
import { fromDatabase } from "../_shared/backend-errors.ts";
import { databaseWithoutSession } from "../_shared/clients.ts";
import type { Env } from "../_shared/env.ts";
import { AppError } from "../_shared/errors.ts";

export function bindHealth({ open }: Binder): void {
  open(healthEndpoints.check, async ({ env }) => {
    await requireAnswers(env);
    return { status: "ok" as const, version };
  });
}

/** Whoever watches wants to hear "no" rather than wait. */
const patienceMs = 3_000;

/** Asks the database and the auth service what anybody may ask; throws `unavailable` when one of them does not answer as it should. */
async function requireAnswers(env: Env): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  await Promise.all([requireDatabase(env, signal), requireAuth(env, signal)]);
}

/** No invitation has an empty token: the refusal that says so comes from a look at the table. */
async function requireDatabase(env: Env, signal: AbortSignal): Promise<void> {
  const { error, status } = await databaseWithoutSession(env).rpc("read_invite", { token: "" }).abortSignal(signal);
  if (error && fromDatabase(error, status).code === "invalid_invitation") return;
  throw unavailable(error ?? new Error("the database did not answer as it should"));
}

async function requireAuth({ supabaseUrl, publishableKey }: Env, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`${supabaseUrl}/auth/v1/settings`, { headers: { apikey: publishableKey }, signal }).catch((error: unknown) => {
    throw unavailable(error);
  });
  await answer.body?.cancel();
  if (!answer.ok) throw unavailable(new Error(`the auth service answered ${answer.status}`));
}

const unavailable = (cause: unknown): AppError => new AppError("unavailable", { retryAfter: 1, cause });
