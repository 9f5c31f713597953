import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sendConfirmationAgain, sendResetLink, signUp } from "./queries.ts";
import { AppError } from "../../_shared/errors.ts";
import { type AuthService, startAuthService } from "../../../tests/support/auth-service.ts";

const justWritten = { code: "over_email_send_rate_limit", message: "For security purposes, you can only request this after 42 seconds." };
const usedUp = { code: "over_email_send_rate_limit", message: "email rate limit exceeded" };

let auth: AuthService;
beforeEach(async () => {
  for (const way of ["error", "warn", "log"] as const) vi.spyOn(console, way).mockImplementation(() => {});
  auth?.stop();
  auth = await startAuthService();
});
afterAll(() => auth.stop());

const visitor = () => ({ env: auth.env, headers: new Headers() });
const data = { full_name: "Ada", signup_browser: "x" };
const ways = [
  ["signing up", "POST /signup", (email: string) => signUp(visitor(), { email, password: "long enough", data })],
  ["asking for the confirmation again", "POST /resend", (email: string) => sendConfirmationAgain(visitor(), email, undefined)],
  ["asking for a new password", "POST /recover", (email: string) => sendResetLink(visitor(), email, undefined)],
] as const;

describe.each(ways)("%s", (_, call, ask) => {
  test.each([
    ["an address that was just written to", 429, justWritten],
    ["a known address", 422, { code: "user_already_exists", message: "User already registered" }],
    ["a known address, said otherwise", 422, { code: "email_exists", message: "x" }],
    ["an unknown address", 404, { code: "user_not_found", message: "User not found" }],
  ])("for %s is answered as usual", async (_name, status, body) => {
    auth.answer(call, { status, body });
    await expect(ask("ada@example.com")).resolves.toBeUndefined();
  });

  test("fails while the project can't send emails", async () => {
    auth.answer(call, { status: 429, body: usedUp });
    const refused = (await ask("ada@example.com").catch((error: unknown) => error)) as AppError;
    expect([refused.code, refused.details.retryAfter]).toEqual(["unavailable", 60]);
    expect((refused.details.cause as Error).message).toBe("email rate limit exceeded");
  });

  test("then fails for every address without a request, until the retry time", async () => {
    auth.answer(call, { status: 429, body: usedUp });
    await expect(ask("ada@example.com")).rejects.toThrow(AppError);
    auth.answer("POST /signup", { status: 200, body: { id: "1", identities: [] } });
    for (const quiet of ["POST /recover", "POST /resend"]) auth.answer(quiet, { status: 200, body: {} });
    for (const [, , other] of ways) await expect(other("grace@example.com")).rejects.toMatchObject({ code: "unavailable" });
    expect(auth.calls).toHaveLength(1);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    try {
      await expect(ask("grace@example.com")).resolves.toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    [429, { code: "over_request_rate_limit", message: "Request rate limit reached" }, "rate_limited"],
    [400, { code: "captcha_failed", message: "captcha protection: request disallowed" }, "captcha_failed"],
    [500, { code: "unexpected_failure", message: "Error sending confirmation email" }, "unavailable"],
  ])("is rejected when the auth service responds %i %j", async (status, body, code) => {
    auth.answer(call, { status, body });
    await expect(ask("ada@example.com")).rejects.toMatchObject({ code });
  });
});
