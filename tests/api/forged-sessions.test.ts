import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type AuthService, startAuthService } from "../support/auth-service.ts";
import { Client } from "./support/client.ts";
import { signToken } from "./support/people.ts";
import { placeAt, request, sampled, withSession } from "./support/samples.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";
import { keepSession, sessionOf } from "./support/session-cookie.ts";

const stack = inject("stack");
const place = placeAt(randomUUID());
let auth: AuthService;
let api: SecondFunction;
beforeAll(async () => {
  auth = await startAuthService();
  auth.answer("POST /token", { status: 400, body: { code: "refresh_token_not_found", message: "Invalid Refresh Token" } });
  api = await startFunction(stack, "api", { SUPABASE_URL: auth.env.supabaseUrl });
});
afterAll(async () => {
  await api.stop();
  auth.stop();
});

const renewals = () => auth.calls.filter(({ path }) => path.startsWith("/token?grant_type=refresh_token"));

function browserWith(accessToken: string): Client {
  const browser = new Client(api.url);
  keepSession(browser, { access_token: accessToken, refresh_token: randomUUID(), expires_at: 1, token_type: "bearer", user: {} });
  return browser;
}

const from = { headers: { origin: stack.publicUrl, "x-forwarded-for": "203.0.113.9" } };
const hasEnded = { sub: randomUUID(), exp: 1_000 };
const madeUp: Record<string, () => string> = {
  "is no token": () => "x",
  "is signed with another secret": () => signToken(hasEnded, { secret: "x".repeat(48) }),
  "names a key that is not there": () => signToken(hasEnded, { header: { alg: "ES256", kid: randomUUID() } }),
};

test.each(Object.keys(madeUp))("a forged cookie whose token %s causes no refresh in any call with a session", async (what) => {
  for (const named of withSession) {
    const { status, body } = await request(browserWith(madeUp[what]!()), named, place, from);
    expect([named.name, status, body.code]).toEqual([named.name, 401, "unauthenticated"]);
  }
  expect(renewals()).toEqual([]);
});

test("a forged cookie causes no refresh in public calls, sign-in and sign-out included", async () => {
  const open = sampled.filter(({ endpoint }) => endpoint.access === "public");
  expect(open.map(({ name }) => name)).toEqual(expect.arrayContaining(["auth.login", "auth.callback", "auth.verify"]));
  for (const named of open) await request(browserWith("x"), named, place, from);
  const browser = browserWith("x");
  expect((await browser.post("/api/auth/logout", undefined, from)).status).toBe(401);
  expect([...browser.cookies.keys()]).toEqual([]);
  expect(renewals()).toEqual([]);
});

test("an expired real session is refreshed once, and the browser gets the new one", async () => {
  const renewed = {
    access_token: signToken({ sub: hasEnded.sub }),
    refresh_token: "next",
    token_type: "bearer",
    expires_in: 3_600,
    user: {},
  };
  auth.answer("POST /token", { status: 200, body: renewed });
  const browser = browserWith(signToken(hasEnded));
  await browser.get("/api/profiles/me", from);
  expect(renewals()).toHaveLength(1);
  expect(sessionOf(browser)).toMatchObject({ access_token: renewed.access_token, refresh_token: "next" });
});

test("a refresh that fails temporarily doesn't end the session", async () => {
  auth.calls.length = 0;
  auth.answer("POST /token", { status: 429, body: { code: "over_request_rate_limit", message: "Request rate limit reached" } });
  const browser = browserWith(signToken(hasEnded));
  const cookies = browser.cookieHeader;
  const answer = await browser.get("/api/profiles/me", from);
  expect([answer.status, answer.headers.getSetCookie(), browser.cookieHeader]).toEqual([503, [], cookies]);
  expect(renewals()).toHaveLength(1);
});
