import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { SessionCookies } from "../../_shared/cookies.ts";
import { createSessionReader } from "../../_shared/session.ts";
import { endOAuth, sendConfirmationAgain, sendResetLink, signIn, signOut, signUp, spendLink, type Visit } from "./queries.ts";
import { type AuthService, startAuthService } from "../../../tests/support/auth-service.ts";

/** The auth service sees only our servers, so each call must forward the client's address; otherwise all clients share one rate limit. */
let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
  for (const call of ["POST /token", "POST /verify", "POST /signup", "POST /recover", "POST /resend", "POST /logout"]) {
    auth.answer(call, { status: 400, body: { code: "refresh_token_not_found", message: "not today" } });
  }
});
beforeEach(() => {
  auth.calls.length = 0;
  for (const way of ["error", "warn", "log"] as const) vi.spyOn(console, way).mockImplementation(() => {});
});
afterAll(() => auth.stop());

const session = { access_token: "old", refresh_token: "refresh-1", expires_at: 1 };
const cookie = `tc-auth=base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}; tc-auth-code-verifier=base64-InZlcmlmaWVyIg`;
const credentials = { email: "ada@example.com", password: "long enough" };

const limiter = { count: () => Promise.resolve(true) };
const owner = (token: string) => Promise.resolve({ id: "1", email: "", token, expiresAt: 0 });

const calls: [string, (visit: Visit) => Promise<unknown>][] = [
  ["signing in", (visit) => signIn(visit, credentials)],
  ["signing up", (visit) => signUp(visit, { ...credentials, data: { full_name: "Ada", signup_browser: "x" } })],
  ["a link to a new password", (visit) => sendResetLink(visit, credentials.email, undefined)],
  ["a confirmation link again", (visit) => sendConfirmationAgain(visit, credentials.email, undefined)],
  ["a code of a provider", (visit) => endOAuth(visit, "code")],
  ["a link of a mail", (visit) => spendLink(visit, { token_hash: "x", type: "recovery" })],
  ["a renewal", ({ env, headers, cookies }) => createSessionReader(env, owner, limiter)(new Request("https://x", { headers }), cookies)],
  [
    "signing out",
    (visit) =>
      signOut(
        visit,
        createSessionReader(auth.env, (token) => Promise.resolve({ id: "1", email: "", token, expiresAt: Infinity }), limiter),
      ),
  ],
];

test.each(calls)("%s forwards the client address and never uses the secret key", async (_, call) => {
  const headers = new Headers({ cookie, "user-agent": "Firefox", "x-forwarded-for": "6.6.6.6, 203.0.113.9, 10.0.0.1" });
  await call({ env: auth.env, headers, cookies: new SessionCookies(cookie, true) }).catch(() => {});
  const asked = auth.calls.filter(({ path }) => !path.startsWith("/rest/"));
  expect(asked).not.toEqual([]);
  for (const { headers: sent } of asked) {
    expect(sent).toMatchObject({ "sb-forwarded-for": "203.0.113.9", "user-agent": "Firefox", apikey: "publishable" });
    expect(sent.authorization).not.toContain("secret");
  }
});

test.each(calls.filter(([name]) => name !== "a renewal"))("%s doesn't renew the session in the cookie", async (_, call) => {
  await call({ env: auth.env, headers: new Headers({ cookie }), cookies: new SessionCookies(cookie, true) }).catch(() => {});
  expect(auth.calls.filter(({ path }) => path.includes("refresh_token"))).toEqual([]);
});

test("signing out with a foreign token makes no request and reports no success", async () => {
  const cookies = new SessionCookies(cookie, true);
  const readSession = createSessionReader(auth.env, () => Promise.resolve(null), limiter);
  await expect(signOut({ env: auth.env, headers: new Headers({ cookie }), cookies }, readSession)).rejects.toMatchObject({
    code: "unauthenticated",
  });
  expect(auth.calls).toEqual([]);
  expect(cookies.lines().join()).toMatch(/^tc-auth=; Max-Age=0/);
});

test("nothing is forwarded without a proxy's address", async () => {
  await sendResetLink({ env: auth.env, headers: new Headers({ "sb-forwarded-for": "6.6.6.6" }) }, "ada@example.com", undefined).catch(
    () => {},
  );
  expect(auth.calls[0]!.headers).not.toHaveProperty("sb-forwarded-for");
});
