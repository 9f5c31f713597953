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

/** Short timeout: monitoring prefers a fast failure. */
const timeoutMs = 3_000;

async function requireAnswers(env: Env): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  await Promise.all([requireDatabase(env, signal), requireAuth(env, signal)]);
}

/** The empty token never exists, so a refusal proves that the table was queried. */
async function requireDatabase(env: Env, signal: AbortSignal): Promise<void> {
  const { error, status } = await databaseWithoutSession(env).rpc("read_invite", { token: "" }).abortSignal(signal);
  if (error && fromDatabase(error, status).code === "invalid_invitation") return;
  throw unavailable(error ?? new Error("unexpected database response"));
}

async function requireAuth({ supabaseUrl, publishableKey }: Env, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`${supabaseUrl}/auth/v1/settings`, { headers: { apikey: publishableKey }, signal }).catch((error: unknown) => {
    throw unavailable(error);
  });
  await answer.body?.cancel();
  if (!answer.ok) throw unavailable(new Error(`the auth service responded with ${answer.status}`));
}

const unavailable = (cause: unknown): AppError => new AppError("unavailable", { retryAfter: 1, cause });
