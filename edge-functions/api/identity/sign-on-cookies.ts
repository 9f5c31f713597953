import { serializeCookieHeader } from "@supabase/ssr";
import { decodeJwt } from "jose";
import { z } from "zod";
import { providerSessionDays } from "#contract/limits.ts";
import { signOnCookie, signOutCookie } from "#contract/session-cookies.ts";
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
const maxCookieLength = 4_000; // browsers drop those of 4,096 bytes

export async function keepAttempt(env: Env, cookies: SessionCookies, pending: Omit<PendingAttempt, "until">): Promise<void> {
  const text = JSON.stringify({ ...pending, until: Date.now() + seconds * 1_000 });
  write(env, cookies, signOnCookie, await new Seal(env, "identity").close(pending.state, text), seconds);
}

/** null if this browser began none with this state in the last ten minutes. */
export async function takeAttempt(env: Env, cookies: SessionCookies, state: string): Promise<PendingAttempt | null> {
  const sealed = cookies.received.find(({ name }) => name === signOnCookie)?.value;
  write(env, cookies, signOnCookie, "", 0);
  const text = sealed ? await new Seal(env, "identity").open(state, sealed) : null;
  if (text === null) return null;
  const pending = attempt.parse(JSON.parse(text));
  return pending.until > Date.now() ? pending : null;
}

/** Keeps the first URL that fits, for the session's sign-out only. */
export async function keepSignOutUrl(env: Env, cookies: SessionCookies, accessToken: string, urls: string[]): Promise<void> {
  for (const url of urls) {
    const sealed = await new Seal(env, "identity").close(sessionOf(accessToken), url);
    if (sealed.length <= maxCookieLength) return write(env, cookies, signOutCookie, sealed, providerSessionDays * 86_400);
  }
}

/** null if this session wasn't made by single sign-on, or its provider has no sign-out. */
export async function takeSignOutUrl(env: Env, cookies: SessionCookies, accessToken: string): Promise<string | null> {
  const sealed = cookies.received.find(({ name }) => name === signOutCookie)?.value;
  if (!sealed) return null;
  write(env, cookies, signOutCookie, "", 0);
  return await new Seal(env, "identity").open(sessionOf(accessToken), sealed);
}

export const sessionOf = (accessToken: string): string => String(decodeJwt(accessToken).session_id);

function write({ publicUrl }: Env, cookies: SessionCookies, name: string, value: string, maxAge: number): void {
  const secure = publicUrl.startsWith("https:");
  cookies.append([serializeCookieHeader(name, value, { path: "/api/auth", httpOnly: true, sameSite: "lax", secure, maxAge })]);
}
