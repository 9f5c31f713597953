import { sessionCookie } from "./session-cookies.ts";

export interface Cookie {
  name: string;
  value: string;
}

/** Untrusted until its token is verified. */
export interface StoredSession {
  access_token: string;
  refresh_token: string;
  /** Seconds. */
  expires_at: number;
  user?: SessionUser;
}

export interface SessionUser {
  id: string;
  email?: string;
  user_metadata: Record<string, unknown>;
  created_at: string;
}

export function storedSession(cookies: readonly Cookie[]): StoredSession | null {
  const value = inOnePiece(cookies);
  if (!value.startsWith("base64-")) return null;
  try {
    const bytes = atob(value.slice("base64-".length).replaceAll("-", "+").replaceAll("_", "/"));
    const session: unknown = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
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
