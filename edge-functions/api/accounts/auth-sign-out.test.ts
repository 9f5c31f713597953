import { SignJWT } from "jose";
import { afterAll, afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { createApp } from "../app.ts";
import { type Answer, type AuthService, startAuthService } from "../../../tests/support/auth-service.ts";

const secret = new TextEncoder().encode("a secret that signs the tokens of this file");
const timeoutOf = AbortSignal.timeout.bind(AbortSignal);
let auth: AuthService;
let timeout: MockInstance<typeof AbortSignal.timeout>;
beforeEach(async () => {
  timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeoutOf(ms / 20));
  for (const way of ["error", "warn", "log"] as const) vi.spyOn(console, way).mockImplementation(() => {});
  auth?.stop();
  auth = await startAuthService();
  auth.env = { ...auth.env, jwks: [{ kty: "oct", k: Buffer.from(secret).toString("base64url"), alg: "HS256" }] };
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => auth.stop());

const tokenFor = (seconds: number) =>
  new SignJWT({ role: "authenticated", email: "ada@example.com" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject("0f8f7a3e-1111-4222-8333-444455556666")
    .setAudience("authenticated")
    .setExpirationTime(Math.floor(Date.now() / 1_000) + seconds)
    .sign(secret);

async function leave(seconds: number) {
  const session = {
    access_token: await tokenFor(seconds),
    refresh_token: "refresh-1",
    expires_at: Math.floor(Date.now() / 1_000) + seconds,
  };
  const cookie = `tc-auth=base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`;
  const headers = { cookie, origin: auth.env.publicUrl };
  const answer = await createApp(auth.env, () => {}).request("/api/auth/logout", { method: "POST", headers });
  expect(answer.headers.getSetCookie().join()).toMatch(/^tc-auth=; Max-Age=0;[^,]*$/);
  const body = (await answer.json()) as { code?: string };
  const asked = auth.calls.filter(({ path }) => !path.startsWith("/rest/")).map(({ method, path }) => `${method} ${path}`);
  return { status: answer.status, code: body.code, asked };
}

const logout = "POST /logout?scope=local";
const renewal = "POST /token?grant_type=refresh_token";
const refusal = (status: number, code: string): Answer => ({ status, body: { code, message: "said the service" } });

test("a valid token ends its session", async () => {
  auth.answer("POST /logout", { status: 204, body: null });
  expect(await leave(600)).toEqual({ status: 200, code: undefined, asked: [logout] });
});

test("an expired token is renewed first, and the new one ends the session", async () => {
  const access_token = await tokenFor(3_600);
  auth.answer("POST /token", {
    status: 200,
    body: { access_token, refresh_token: "r2", expires_in: 3_600, token_type: "bearer", user: {} },
  });
  auth.answer("POST /logout", { status: 204, body: null });
  expect(await leave(-60)).toEqual({ status: 200, code: undefined, asked: [renewal, logout] });
  expect(auth.calls.at(-1)!.headers.authorization).toBe(`Bearer ${access_token}`);
});

describe.each<[string, number, string, string]>([
  ["at the end of the session", 600, "POST /logout", logout],
  ["at the renewal before it", -60, "POST /token", renewal],
])("what the service says %s:", (_, seconds, call, asked) => {
  test.each([
    [400, "refresh_token_not_found"],
    [400, "refresh_token_already_used"],
    [403, "session_not_found"],
    [400, "session_expired"],
    [400, "user_banned"],
    [403, "user_not_found"],
  ])("%i %s means that the session is gone, which was wanted", async (status, code) => {
    auth.answer(call, refusal(status, code));
    expect(await leave(seconds)).toEqual({ status: 200, code: undefined, asked: [asked] });
  });

  test.each([
    [500, "unexpected_failure", 503, "unavailable"],
    [503, "hook_timeout", 503, "unavailable"],
    [403, "bad_jwt", 503, "unavailable"],
    [429, "over_request_rate_limit", ...(seconds > 0 ? ([429, "rate_limited"] as const) : ([503, "unavailable"] as const))],
  ] as const)("%i %s doesn't end the session", async (status, code, answered, said) => {
    auth.answer(call, refusal(status, code));
    expect(await leave(seconds)).toMatchObject({ status: answered, code: said });
  });

  test("no response doesn't end the session", async () => {
    auth.answer(call, 60_000);
    expect(await leave(seconds)).toMatchObject({ status: 503, code: "unavailable" });
    expect(timeout.mock.calls).toEqual([[3_000]]);
  });
});
