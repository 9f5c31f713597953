import { sessionCookie } from "#contract/session-cookies.ts";

/** Whether this browser still holds a session, in one piece or in several; whether it is a good one is the server's to say. */
export const hasSessionCookie = (): boolean =>
  document.cookie.split("; ").some((pair) => new RegExp(`^${sessionCookie}(\\.\\d+)?=.`).test(pair));
