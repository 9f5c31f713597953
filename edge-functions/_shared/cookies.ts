import { isChunkLike, parseCookieHeader, serializeCookieHeader, type CookieOptions } from "@supabase/ssr";
import { rememberCookie, sessionCookie } from "#contract/session-cookies.ts";
import { type Cookie, storedSession, type StoredSession } from "#contract/stored-session.ts";

/** Session cookie of a request and its response, in @supabase/ssr's format. */
export class SessionCookies {
  readonly received: readonly Cookie[];
  readonly #attributes: CookieOptions;
  /** false: no Max-Age and Expires, so the session ends with the browser. */
  #remember: boolean;
  #chosen = false;
  readonly #answer: string[] = [];

  constructor(header: string | null, secure: boolean) {
    this.received = parseCookieHeader(header ?? "");
    this.#attributes = { path: "/", sameSite: "lax", secure };
    this.#remember = this.received.every(({ name, value }) => name !== rememberCookie || value !== "0");
  }

  stored(): StoredSession | null {
    return storedSession(this.received);
  }

  /** Keeps the names of chunks, which auth-js needs to remove stale ones, but not values: it would renew an expired session on creation. */
  withoutSession(): Cookie[] {
    return this.received.map(({ name, value }) => ({ name, value: isChunkLike(name, sessionCookie) ? "" : value }));
  }

  write(cookies: readonly (Cookie & { options: CookieOptions })[]): void {
    for (const { name, value, options } of cookies) {
      const { maxAge, expires, ...rest } = { ...options, ...this.#attributes };
      const lifetime = value === "" ? { maxAge: 0 } : this.#remember ? { maxAge, expires } : {};
      // The browser client reads the session; the PKCE verifier is for the server only.
      const httpOnly = name.includes("-code-verifier");
      this.#answer.push(serializeCookieHeader(name, value, { ...rest, ...lifetime, httpOnly }));
    }
  }

  remember(choice: boolean): void {
    this.#remember = choice;
    this.#chosen = true;
  }

  clear(): void {
    const ours = this.received.filter(({ name }) => isChunkLike(name, sessionCookie) || name === rememberCookie);
    this.#answer.push(...ours.map(({ name }) => serializeCookieHeader(name, "", { ...this.#attributes, maxAge: 0 })));
  }

  lines(): readonly string[] {
    if (!this.#chosen || this.#answer.length === 0) return this.#answer;
    const attributes = this.#remember ? { ...this.#attributes, maxAge: 0 } : this.#attributes;
    return [...this.#answer, serializeCookieHeader(rememberCookie, this.#remember ? "" : "0", attributes)];
  }

  append(lines: readonly string[]): void {
    this.#answer.push(...lines);
  }
}
