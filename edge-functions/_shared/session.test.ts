import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { SessionCookies } from "./cookies.ts";
import { AppError } from "./errors.ts";
import { createSessionReader } from "./session.ts";
import type { Identity } from "./tokens.ts";
import { type AuthService, startAuthService } from "../../tests/support/auth-service.ts";

/** What hosted's auth service answers to a renewal, and what becomes of the session then. */
let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
beforeEach(() => {
  auth.calls.length = 0;
  for (const way of ["error", "warn", "log"] as const) vi.spyOn(console, way).mockImplementation(() => {}); // auth-js says refusals there
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => auth.stop());

const person: Identity = { id: "0f8f7a3e-1111-4222-8333-444455556666", email: "ada@example.com", token: "t", expiresAt: 0 };
const session = { access_token: "old", refresh_token: "refresh-1", expires_at: 1, token_type: "bearer", expires_in: 1, user: {} };

/** A request with a session whose token still holds for `seconds`, and who the reader says makes it. */
async function read(seconds: number) {
  const value = `base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`;
  const headers = new Headers({ cookie: `tc-auth=${value}`, "user-agent": "Firefox", "x-forwarded-for": "203.0.113.9, 10.0.0.1" });
  const expiresAt = Date.now() + seconds * 1_000;
  const verify = (token: string) =>
    Promise.resolve(token === "new" ? { ...person, token } : seconds > 0 ? { ...person, token, expiresAt } : null);
  const cookies = new SessionCookies(headers.get("cookie"), true);
  const reader = createSessionReader(auth.env, verify);
  const ask = () => reader(new Request("https://tidings.example/api/posts", { headers }), cookies);
  return { ask, cookies };
}

const refusal = (status: number, code: string | undefined, message = "said the service") => ({ status, body: { code, message } });

describe("a session whose token has run out", () => {
  test("goes on with what the service answers", async () => {
    auth.answer("POST /token", { status: 200, body: { ...session, access_token: "new", expires_in: 3_600 } });
    const { ask, cookies } = await read(-60);
    expect(await ask()).toMatchObject({ user: { token: "new" }, byCookie: true });
    expect(cookies.lines().join()).toMatch(/^tc-auth=base64-/);
  });

  test.each([
    [400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found"],
    [400, "refresh_token_already_used", "Invalid Refresh Token: Already Used"],
    [400, "session_not_found", "Invalid Refresh Token: No Valid Session Found"],
    [400, "session_expired", "Invalid Refresh Token: Session Expired (Inactivity)"],
    [400, "user_banned", "Invalid Refresh Token: User Banned"],
    [403, "user_not_found", "User from sub claim in JWT does not exist"],
    [400, "validation_failed", "Refresh token is not valid"],
  ])("has ended when the service says %i %s", async (status, code, message) => {
    auth.answer("POST /token", refusal(status, code, message));
    const { ask, cookies } = await read(-60);
    expect(await ask()).toBeNull();
    expect(cookies.lines()).toEqual([]);
  });

  test.each([
    [429, "over_request_rate_limit", "Request rate limit reached"],
    [429, undefined, "Too many requests"],
    [409, "conflict", "Too many concurrent token refresh requests on the same session or refresh token"],
    [403, undefined, "blocked by a firewall"],
    [404, undefined, "no such project"],
  ])("is kept when the service says %i %s: the answer is to try again", async (status, code, message) => {
    auth.answer("POST /token", refusal(status, code, message));
    const { ask, cookies } = await read(-60);
    const refused = (await ask().catch((error: unknown) => error)) as AppError;
    expect([refused.code, refused.details.retryAfter]).toEqual(["unavailable", 2]);
    expect(cookies.lines()).toEqual([]);
    expect(auth.calls).toHaveLength(1);
  });

  /** Asks again at once, and looks whether anybody asks the service once more. */
  async function expectRemembered(ask: () => Promise<unknown>): Promise<void> {
    const tries = auth.calls.length;
    expect(((await ask().catch((error: unknown) => error)) as AppError).code).toBe("unavailable");
    expect(auth.calls).toHaveLength(tries); // the failure is still fresh: nobody asks again
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(auth.calls).toHaveLength(tries); // auth-js does not go on in the background
  }

  test("is kept when the service fails", async () => {
    auth.answer("POST /token", { status: 500, body: { code: "unexpected_failure", message: "x" } });
    const { ask } = await read(-60);
    expect(((await ask().catch((error: unknown) => error)) as AppError).code).toBe("unavailable");
    await expectRemembered(ask);
  });

  test("is kept when the service hangs, and nobody waits longer than three seconds, where auth-js would for half a minute", async () => {
    const clock = new AbortController();
    const deadline = vi.spyOn(AbortSignal, "timeout").mockReturnValue(clock.signal); // passes when the test says so
    auth.answer("POST /token", 60_000);
    const { ask } = await read(-60);
    let heard: unknown = null;
    const asked = ask().catch((error: unknown) => (heard = error));
    await expect.poll(() => auth.calls.length).toBe(1);
    expect([deadline.mock.calls, heard]).toEqual([[[3_000]], null]);
    clock.abort(new DOMException("The operation timed out.", "TimeoutError"));
    await asked;
    expect((heard as AppError).code).toBe("unavailable");
    await expectRemembered(ask);
  });
});

test("a session whose token holds for another moment goes on with it, whatever the service says", async () => {
  auth.answer("POST /token", refusal(429, "over_request_rate_limit"));
  expect(await (await read(30)).ask()).toMatchObject({ user: { token: "old" } });
});
