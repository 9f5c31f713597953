import { serializeCookieHeader } from "@supabase/ssr";
import { decodeJwt } from "jose";
import { passwordResetCookie } from "#contract/session-cookies.ts";
import type { SessionCookies } from "../../_shared/cookies.ts";
import type { Env } from "../../_shared/env.ts";
import { Seal } from "../../_shared/seal.ts";

/** Marks a session that came from a reset link, in its browser: for an hour it can choose a password without the current one. */
interface Visit {
  env: Env;
  cookies: SessionCookies;
}

const seconds = 3_600;

export async function allowNewPassword({ env, cookies }: Visit, token: string): Promise<void> {
  const until = String(Date.now() + seconds * 1_000);
  write({ env, cookies }, await new Seal(env, "identity").close(rowOf(token), until), seconds);
}

export async function isNewPasswordAllowed({ env, cookies }: Visit, token: string): Promise<boolean> {
  const mark = cookies.received.find(({ name }) => name === passwordResetCookie)?.value;
  return mark !== undefined && Number(await new Seal(env, "identity").open(rowOf(token), mark)) > Date.now();
}

export const forbidNewPassword = (visit: Visit): void => write(visit, "", 0);

const rowOf = (token: string): string => `reset ${String(decodeJwt(token).session_id)}`;

function write({ env: { publicUrl }, cookies }: Visit, value: string, maxAge: number): void {
  const secure = publicUrl.startsWith("https:");
  cookies.append([
    serializeCookieHeader(passwordResetCookie, value, { path: "/api/profiles", httpOnly: true, sameSite: "lax", secure, maxAge }),
  ]);
}
