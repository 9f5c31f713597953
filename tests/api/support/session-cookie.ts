import type { Client } from "./client.ts";
import { signToken } from "./people.ts";

export interface StoredSession extends Record<string, unknown> {
  access_token: string;
  refresh_token: string;
}

const pieceLength = 3_180;
const isPiece = (name: string): boolean => /^tc-auth(\.\d+)?$/.test(name);

export const sessionCookieOf = (browser: Client): string =>
  [...browser.cookies]
    .filter(([name]) => isPiece(name))
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([, value]) => value)
    .join("");

export const sessionOf = (browser: Client): StoredSession =>
  JSON.parse(Buffer.from(decodeURIComponent(sessionCookieOf(browser)).slice("base64-".length), "base64url").toString()) as StoredSession;

export function keepSession(browser: Client, session: Record<string, unknown>): void {
  for (const name of browser.cookies.keys()) if (isPiece(name)) browser.cookies.delete(name);
  const value = `base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`;
  if (value.length <= pieceLength) browser.cookies.set("tc-auth", value);
  else
    for (let at = 0; at < value.length; at += pieceLength)
      browser.cookies.set(`tc-auth.${at / pieceLength}`, value.slice(at, at + pieceLength));
}

export function age(browser: Client, seconds = 20): void {
  const session = sessionOf(browser);
  const expiresAt = Math.floor(Date.now() / 1_000) + seconds;
  const claims = JSON.parse(Buffer.from(session.access_token.split(".")[1]!, "base64url").toString()) as Record<string, unknown>;
  keepSession(browser, { ...session, access_token: signToken({ ...claims, exp: expiresAt }), expires_at: expiresAt });
}

export const cookieNames = (browser: Client): string[] => [
  ...new Set([...browser.cookies.keys()].map((name) => name.replace(/^(tc-auth)\.\d+$/, "$1"))),
];
