import { serializeCookieHeader } from "@supabase/ssr";
import { signUpCookie } from "#contract/session-cookies.ts";
import { confirmationLinkSeconds } from "#contract/limits.ts";
import type { SessionCookies } from "../../_shared/cookies.ts";
import type { Env } from "../../_shared/env.ts";

/** Recognises the browser that signed up when it opens the link: the mark is in a cookie, its hash in the account. */
interface Marked {
  env: Env;
  cookies: SessionCookies;
}

/** New for each sign-up, so only the newest password is accepted. */
export async function newMark(): Promise<{ mark: string; hash: string }> {
  const mark = [...crypto.getRandomValues(new Uint8Array(32))].map(hex).join("");
  return { mark, hash: await hexHashOf(mark) };
}

export const keepMark = (visit: Marked, mark: string): void => write(visit, mark, confirmationLinkSeconds);

export function keepMarkLonger(visit: Marked): void {
  const mark = received(visit);
  if (mark) keepMark(visit, mark);
}

export function markOf(visit: Marked): Promise<string> | null {
  const mark = received(visit);
  return mark ? hexHashOf(mark) : null;
}

const received = ({ cookies }: Marked): string | undefined => cookies.received.find(({ name }) => name === signUpCookie)?.value;

export const forgetMark = (visit: Marked): void => write(visit, "", 0);

function write({ env, cookies }: Marked, value: string, maxAge: number): void {
  const secure = env.publicUrl.startsWith("https:");
  cookies.append([serializeCookieHeader(signUpCookie, value, { path: "/api/auth", httpOnly: true, sameSite: "lax", secure, maxAge })]);
}

export async function hexHashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map(hex).join("");
}

const hex = (byte: number): string => byte.toString(16).padStart(2, "0");
