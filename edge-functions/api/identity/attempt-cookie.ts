import { serializeCookieHeader } from "@supabase/ssr";
import { z } from "zod";
import { signOnCookie } from "#contract/session-cookies.ts";
import type { SessionCookies } from "../../_shared/cookies.ts";
import type { Env } from "../../_shared/env.ts";
import { Seal } from "../../_shared/seal.ts";

/** A sign-in under way, encrypted in the browser that began it, so that no other browser can complete it. */
const attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  workspace: z.string(),
  issuer: z.string(),
  next: z.string().nullable(),
  /** The owner who tests the settings; null: a sign-in. */
  tester: z.string().nullable(),
  until: z.number(),
});
export type PendingAttempt = z.infer<typeof attempt>;

const seconds = 600;

export async function keepAttempt(env: Env, cookies: SessionCookies, pending: Omit<PendingAttempt, "until">): Promise<void> {
  const text = JSON.stringify({ ...pending, until: Date.now() + seconds * 1_000 });
  write(env, cookies, await new Seal(env, "identity").close(pending.state, text), seconds);
}

/** null if this browser began none with this state in the last ten minutes. */
export async function takeAttempt(env: Env, cookies: SessionCookies, state: string): Promise<PendingAttempt | null> {
  const sealed = cookies.received.find(({ name }) => name === signOnCookie)?.value;
  write(env, cookies, "", 0);
  const text = sealed ? await new Seal(env, "identity").open(state, sealed) : null;
  if (text === null) return null;
  const pending = attempt.parse(JSON.parse(text));
  return pending.until > Date.now() ? pending : null;
}

function write({ publicUrl }: Env, cookies: SessionCookies, value: string, maxAge: number): void {
  const secure = publicUrl.startsWith("https:");
  cookies.append([serializeCookieHeader(signOnCookie, value, { path: "/api/auth", httpOnly: true, sameSite: "lax", secure, maxAge })]);
}
