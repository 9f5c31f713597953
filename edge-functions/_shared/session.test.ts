import { createChunks, stringToBase64URL } from "@supabase/ssr";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { SessionCookies } from "./cookies.ts";
import { AppError } from "./errors.ts";
import type { RateLimiter } from "./rate-limits.ts";
import { createSessionReader } from "./session.ts";
import { createTokenVerifier, type Identity, type VerifyToken } from "./tokens.ts";
import { type AuthService, startAuthService } from "../../tests/support/auth-service.ts";

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
beforeEach(() => {
  auth.calls.length = 0;
  for (const way of ["error", "warn", "log"] as const) vi.spyOn(console, way).mockImplementation(() => {}); // auth-js logs refusals
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => auth.stop());

const person: Identity = { id: "0f8f7a3e-1111-4222-8333-444455556666", email: "ada@example.com", token: "t", expiresAt: 0 };
const session = { access_token: "old", refresh_token: "refresh-1", expires_at: 1, token_type: "bearer", expires_in: 1, user: {} };

function request(stored: object, verify: VerifyToken) {
  const value = `base64-${Buffer.from(JSON.stringify(stored)).toString("base64url")}`;
  const headers = new Headers({ cookie: `tc-auth=${value}`, "user-agent": "Firefox", "x-forwarded-for": "203.0.113.9, 10.0.0.1" });
  const cookies = new SessionCookies(headers.get("cookie"), true);
  const count = vi.fn<RateLimiter["count"]>().mockResolvedValue(true);
  const reader = createSessionReader(auth.env, verify, { count });
  const ask = () => reader(new Request("https://tidings.example/api/posts", { headers }), cookies);
  return { ask, cookies, count };
}

function read(seconds: number) {
  const expiresAt = Date.now() + seconds * 1_000;
  return request(session, (token, { ignoreExpiration } = { ignoreExpiration: false }) => {
    if (token === "new") return Promise.resolve({ ...person, token, expiresAt: Date.now() + 3_600_000 });
    return Promise.resolve(seconds > 0 || ignoreExpiration ? { ...person, token, expiresAt } : null);
  });
}

const refusal = (status: number, code: string | undefined, message = "said the service") => ({ status, body: { code, message } });

describe("a session with an expired token", () => {
  test("continues with the renewed session", async () => {
    auth.answer("POST /token", { status: 200, body: { ...session, access_token: "new", expires_in: 3_600 } });
    const { ask, cookies } = read(-60);
    expect(await ask()).toMatchObject({ user: { token: "new" }, byCookie: true });
    expect(cookies.lines().join()).toMatch(/^tc-auth=base64-/);
  });

  test("drops stale chunks of its cookie", async () => {
    auth.answer("POST /token", { status: 200, body: { ...session, access_token: "new", expires_in: 3_600 } });
    const pieces = createChunks("tc-auth", `base64-${stringToBase64URL(JSON.stringify({ ...session, padding: "x".repeat(4_000) }))}`);
    const headers = new Headers({ cookie: pieces.map(({ name, value }) => `${name}=${value}`).join("; ") });
    const cookies = new SessionCookies(headers.get("cookie"), true);
    const verify = (token: string) => Promise.resolve({ ...person, token, expiresAt: token === "new" ? Infinity : 0 });
    expect(await createSessionReader(auth.env, verify, { count: () => Promise.resolve(true) })({ headers }, cookies)).not.toBeNull();
    expect(cookies.lines().map((line) => line.replace(/=base64-[^;]*/, "=…").split("; Path")[0])).toEqual([
      "tc-auth.0=; Max-Age=0",
      "tc-auth.1=; Max-Age=0",
      "tc-auth=…; Max-Age=34560000",
    ]);
    expect(auth.calls).toHaveLength(1);
  });

  test.each([
    [400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found"],
    [400, "refresh_token_already_used", "Invalid Refresh Token: Already Used"],
    [400, "session_not_found", "Invalid Refresh Token: No Valid Session Found"],
    [400, "session_expired", "Invalid Refresh Token: Session Expired (Inactivity)"],
    [400, "user_banned", "Invalid Refresh Token: User Banned"],
    [403, "user_not_found", "User from sub claim in JWT does not exist"],
    [400, "validation_failed", "Refresh token is not valid"],
  ])("ends when the auth service responds %i %s", async (status, code, message) => {
    auth.answer("POST /token", refusal(status, code, message));
    const { ask, cookies } = read(-60);
    expect(await ask()).toBeNull();
    expect(cookies.lines()).toEqual([]);
  });

  test.each([
    [429, "over_request_rate_limit", "Request rate limit reached"],
    [429, undefined, "Too many requests"],
    [409, "conflict", "Too many concurrent token refresh requests on the same session or refresh token"],
    [403, undefined, "blocked by a firewall"],
    [404, undefined, "no such project"],
  ])("continues when the auth service responds %i %s, which can be retried", async (status, code, message) => {
    auth.answer("POST /token", refusal(status, code, message));
    const { ask, cookies } = read(-60);
    const refused = (await ask().catch((error: unknown) => error)) as AppError;
    expect([refused.code, refused.details.retryAfter]).toEqual(["unavailable", 2]);
    expect(cookies.lines()).toEqual([]);
    expect(auth.calls).toHaveLength(1);
  });

  async function expectRemembered(ask: () => Promise<unknown>): Promise<void> {
    const tries = auth.calls.length;
    expect(((await ask().catch((error: unknown) => error)) as AppError).code).toBe("unavailable");
    expect(auth.calls).toHaveLength(tries);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(auth.calls).toHaveLength(tries);
  }

  test("survives failures of the auth service", async () => {
    auth.answer("POST /token", { status: 500, body: { code: "unexpected_failure", message: "x" } });
    const { ask } = read(-60);
    expect(((await ask().catch((error: unknown) => error)) as AppError).code).toBe("unavailable");
    await expectRemembered(ask);
  });

  test("survives a hanging auth service, with a timeout of three seconds instead of auth-js' thirty", async () => {
    const clock = new AbortController();
    const deadline = vi.spyOn(AbortSignal, "timeout").mockReturnValue(clock.signal);
    auth.answer("POST /token", 60_000);
    const { ask } = read(-60);
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

test("a session with a valid token continues, whatever the auth service responds", async () => {
  auth.answer("POST /token", refusal(429, "over_request_rate_limit"));
  expect(await read(30).ask()).toMatchObject({ user: { token: "old" } });
});

describe("renewals", () => {
  beforeEach(() => auth.answer("POST /token", { status: 200, body: { ...session, access_token: "new", expires_in: 3_600 } }));

  test("are counted once for concurrent requests, by person and address", async () => {
    const { ask, count } = read(-60);
    expect(await Promise.all([ask(), ask(), ask()])).toMatchObject(Array(3).fill({ user: { token: "new" } }));
    expect(count.mock.calls).toEqual([
      ["renewal", { accountAtAddress: `${person.id} 203.0.113.9`, person: person.id, address: "203.0.113.9" }],
    ]);
    expect(auth.calls).toHaveLength(1);
  });

  test("over the limit don't affect valid tokens", async () => {
    const { ask, count } = read(30);
    count.mockRejectedValue(new AppError("rate_limited", { retryAfter: 10 }));
    expect(await ask()).toMatchObject({ user: { token: "old" } });
    expect(auth.calls).toEqual([]);
  });
});

describe("the auth service isn't called", () => {
  const secret = new TextEncoder().encode("s".repeat(48));
  const verifierOf = (jwks: Record<string, unknown>[]) => createTokenVerifier({ ...auth.env, jwks }, () => {});
  const verify = () => verifierOf([{ kty: "oct", alg: "HS256", k: Buffer.from(secret).toString("base64url") }]);
  const tokenBy = (key: CryptoKey | Uint8Array, alg = "HS256", kid?: string) =>
    new SignJWT({ role: "authenticated" })
      .setProtectedHeader({ alg, kid })
      .setSubject(person.id)
      .setAudience("authenticated")
      .setExpirationTime(1)
      .sign(key);
  const renewals = () => auth.calls.filter(({ path }) => path.startsWith("/token"));

  const madeUp: [string, () => Promise<string> | string][] = [
    ["isn't a token", () => "x"],
    ["is not signed", () => `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ sub: person.id, aud: "authenticated", exp: 1 }))}.`],
    ["is signed with a foreign secret", () => tokenBy(new TextEncoder().encode("x".repeat(48)))],
    ["has another's signature", async () => `${(await tokenBy(secret)).replace(/\.[^.]+\./, `.${btoa('{"sub":"x","exp":1}')}.`)}`],
    [
      "is signed with a key that isn't the project's, or no longer is",
      async () => tokenBy((await generateKeyPair("ES256")).privateKey, "ES256", "gone"),
    ],
  ];
  test.each(madeUp)("for a cookie whose token %s, with any number of refresh tokens", async (_, tokenOf) => {
    const [reader, token] = [verify(), await tokenOf()];
    for (let number = 0; number < 5; number++) {
      const { ask, cookies, count } = request({ access_token: token, refresh_token: `random-${number}`, expires_at: 1 }, reader);
      await expect(ask()).rejects.toMatchObject({ code: "unauthenticated" });
      expect([count.mock.calls, cookies.lines()]).toEqual([[], []]);
    }
    expect(renewals()).toEqual([]);
  });

  test("but a token signed by an earlier project key is renewed", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), alg: "ES256", kid: "rotated", use: "sig" };
    auth.answer("GET /.well-known/jwks.json", { status: 200, body: { keys: [jwk] } });
    const fresh = await new SignJWT({ role: "authenticated" })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(person.id)
      .setAudience("authenticated")
      .setExpirationTime("1h")
      .sign(secret);
    auth.answer("POST /token", { status: 200, body: { ...session, access_token: fresh, expires_in: 3_600 } });
    for (const token of [await tokenBy(secret), await tokenBy(privateKey, "ES256", "rotated")]) {
      const { ask } = request({ access_token: token, refresh_token: "refresh-1", expires_at: 1 }, verify());
      expect(await ask()).toMatchObject({ user: { id: person.id, token: fresh }, byCookie: true });
    }
    expect(renewals()).toHaveLength(2);
  });
});
