import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { SessionCookies } from "../../_shared/cookies.ts";
import { createApp } from "../app.ts";
import { endOAuth, signIn } from "./queries.ts";
import { type AuthService, startAuthService } from "../../../tests/support/auth-service.ts";

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
beforeEach(() => {
  for (const way of ["error", "warn", "log"] as const) vi.spyOn(console, way).mockImplementation(() => {});
});
afterAll(() => auth.stop());

async function open(type: string) {
  const answer = await createApp(auth.env, () => {}).request("/api/auth/verify", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token_hash: "abc", type }),
  });
  return { status: answer.status, cookies: answer.headers.getSetCookie(), body: (await answer.json()) as Record<string, unknown> };
}

test("the first of two links for a change of address succeeds without signing in", async () => {
  const message = "Confirmation link accepted. Please proceed to confirm link sent to the other email";
  auth.answer("POST /verify", { status: 200, body: { msg: message, code: 200 } });
  expect(await open("email_change")).toEqual({ status: 200, cookies: [], body: { success: true, user: null, choosePassword: false } });
});

test("another link without a session fails", async () => {
  auth.answer("POST /verify", { status: 200, body: { msg: "?", code: 200 } });
  expect((await open("recovery")).body.code).toBe("link_invalid");
});

test.each([
  [403, { code: "otp_expired", message: "Email link is invalid or has expired" }, 410, "link_invalid"],
  [429, { code: "over_request_rate_limit", message: "Request rate limit reached" }, 429, "rate_limited"],
  [500, { code: "unexpected_failure", message: "Database error" }, 503, "unavailable"],
  [504, { code: "request_timeout", message: "Processing this request timed out" }, 503, "unavailable"],
])("a link that the service answers with %i %j", async (status, body, expected, code) => {
  auth.answer("POST /verify", { status, body });
  const answer = await open("recovery");
  expect([answer.status, answer.body.code]).toEqual([expected, code]);
});

test.each([
  [404, { code: "flow_state_not_found", message: "invalid flow state, no valid flow state found" }, "link_invalid"],
  [400, { code: "bad_code_verifier", message: "code challenge does not match previously saved code verifier" }, "link_invalid"],
  [422, { code: "flow_state_expired", message: "invalid flow state, flow state has expired" }, "link_invalid"],
  [429, { code: "over_request_rate_limit", message: "Request rate limit reached" }, "rate_limited"],
  [500, { code: "unexpected_failure", message: "x" }, "unavailable"],
])("a provider's code that the service answers with %i %j", async (status, body, code) => {
  auth.answer("POST /token", { status, body });
  const cookie = "tc-auth-code-verifier=base64-InZlcmlmaWVyIg";
  const visit = { env: auth.env, headers: new Headers({ cookie }), cookies: new SessionCookies(cookie, true) };
  await expect(endOAuth(visit, "code")).rejects.toMatchObject({ code });
});

test.each([
  [400, { code: "invalid_credentials", message: "Invalid login credentials" }, "invalid_credentials"],
  [400, { code: "user_banned", message: "User is banned" }, "invalid_credentials"],
  [400, { code: "email_not_confirmed", message: "Email not confirmed" }, "email_not_confirmed"],
  [400, { code: "captcha_failed", message: "captcha protection: request disallowed (timeout-or-duplicate)" }, "captcha_failed"],
  [429, { code: "over_request_rate_limit", message: "Request rate limit reached" }, "rate_limited"],
  [500, { code: "unexpected_failure", message: "x" }, "unavailable"],
])("a password that the service answers with %i %j", async (status, body, code) => {
  auth.answer("POST /token", { status, body });
  const visit = { env: auth.env, headers: new Headers(), cookies: new SessionCookies(null, true) };
  await expect(signIn(visit, { email: "ada@example.com", password: "wrong" })).rejects.toMatchObject({ code });
});
