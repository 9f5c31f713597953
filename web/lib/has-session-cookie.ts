import { sessionCookie } from "#contract/session-cookies.ts";

/** True if a session cookie exists, whole or in chunks. Only the server knows if it is valid. */
export const hasSessionCookie = (): boolean =>
  document.cookie.split("; ").some((pair) => new RegExp(`^${sessionCookie}(\\.\\d+)?=.`).test(pair));
