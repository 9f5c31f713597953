import { sessionCookie } from "#contract/session-cookies.ts";
import { fromBase64Url } from "./base64.ts";

export interface Cookie {
  name: string;
  value: string;
}

/** Untrusted until its token is verified. */
export interface StoredSession {
  access_token: string;
  refresh_token: string;
  expires_at: number;
}

export function storedSession(cookies: readonly Cookie[]): StoredSession | null {
  const value = inOnePiece(cookies);
  if (!value.startsWith("base64-")) return null;
  try {
    const text = fromBase64Url(value.slice("base64-".length));
    const session: unknown = text && JSON.parse(new TextDecoder().decode(text));
    return isSession(session) ? session : null;
  } catch {
    return null;
  }
}

function inOnePiece(cookies: readonly Cookie[]): string {
  const valueOf = (name: string) => cookies.find((cookie) => cookie.name === name)?.value;
  const whole = valueOf(sessionCookie);
  if (whole) return whole;
  const pieces: string[] = [];
  for (let piece; (piece = valueOf(`${sessionCookie}.${pieces.length}`));) pieces.push(piece);
  return pieces.join("");
}

function isSession(value: unknown): value is StoredSession {
  const session = value as Partial<StoredSession> | null;
  return (
    typeof session?.access_token === "string" &&
    session.access_token !== "" &&
    typeof session.refresh_token === "string" &&
    typeof session.expires_at === "number"
  );
}

export function cookiesIn(header: string | null): Cookie[] {
  return (header ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [] : [{ name: pair.slice(0, at).trim(), value: decoded(pair.slice(at + 1).trim()) }];
  });
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
