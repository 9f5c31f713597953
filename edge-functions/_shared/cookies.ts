import { isChunkLike, parseCookieHeader, serializeCookieHeader, type CookieOptions } from "@supabase/ssr";
import { rememberCookie, sessionCookie } from "#contract/session-cookies.ts";
import { type Cookie, storedSession, type StoredSession } from "./stored-session.ts";

/** The session cookie of one request, and what its answer sets. Handed to @supabase/ssr, which owns the format. */
export class SessionCookies {
  readonly received: readonly Cookie[];
  readonly #attributes: CookieOptions;
  /** Off: cookies are written without Max-Age and Expires, so the session ends with the browser. */
  #remember: boolean;
  #chosen = false;
  readonly #answer: string[] = [];

  constructor(header: string | null, secure: boolean) {
    this.received = parseCookieHeader(header ?? "");
    this.#attributes = { path: "/", sameSite: "lax", secure };
    this.#remember = this.received.every(({ name, value }) => name !== rememberCookie || value !== "0");
  }

  /** The session as the browser holds it, or null. */
  stored(): StoredSession | null {
    return storedSession(this.received);
  }

  /**
   * What was received, for auth-js: it renews a session that it sees run out as soon as it is made, whoever has written it. The names of the
   * session's pieces stay, so that those are removed which a new session does not write over.
   */
  withoutSession(): Cookie[] {
    return this.received.map(({ name, value }) => ({ name, value: isChunkLike(name, sessionCookie) ? "" : value }));
  }

  /** Takes what @supabase/ssr wants written. */
  write(cookies: readonly (Cookie & { options: CookieOptions })[]): void {
    for (const { name, value, options } of cookies) {
      const { maxAge, expires, ...rest } = { ...options, ...this.#attributes };
      const lifetime = value === "" ? { maxAge: 0 } : this.#remember ? { maxAge, expires } : {};
      // The browser's own client reads the session; half of a sign-in under way is the server's alone.
      const httpOnly = name.includes("-code-verifier");
      this.#answer.push(serializeCookieHeader(name, value, { ...rest, ...lifetime, httpOnly }));
    }
  }

  /** Chooses for the sign-in that follows and, by a cookie of its own, for the renewals after it. */
  remember(choice: boolean): void {
    this.#remember = choice;
    this.#chosen = true;
  }

  /** Ends the session in this browser. */
  clear(): void {
    const ours = this.received.filter(({ name }) => isChunkLike(name, sessionCookie) || name === rememberCookie);
    this.#answer.push(...ours.map(({ name }) => serializeCookieHeader(name, "", { ...this.#attributes, maxAge: 0 })));
  }

  /** The Set-Cookie lines of the answer. */
  lines(): readonly string[] {
    if (!this.#chosen || this.#answer.length === 0) return this.#answer; // a sign-in that failed leaves no trace
    const attributes = this.#remember ? { ...this.#attributes, maxAge: 0 } : this.#attributes;
    return [...this.#answer, serializeCookieHeader(rememberCookie, this.#remember ? "" : "0", attributes)];
  }

  append(lines: readonly string[]): void {
    this.#answer.push(...lines);
  }
}
