import { randomUUID } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freePort, run, type RunningStack, stackEnvironment, startStack } from "../support/stack.ts";

const publicUrl = "https://tidings.example";
const keys = { TURNSTILE_SITE_KEY: "site-key", TURNSTILE_SECRET_KEY: "turnstile-secret" };

let stack: RunningStack;
let siteverify: "answers" | "knows another secret" | "is broken" = "answers";
let asked: Record<string, string>[] = [];
let fresh: Set<string>;

const server = http.createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    const form = Object.fromEntries(new URLSearchParams(body));
    asked.push(form);
    if (siteverify === "is broken") return response.writeHead(502).end("<h1>Bad gateway</h1>");
    const rightSecret = siteverify === "answers" && form.secret === keys.TURNSTILE_SECRET_KEY;
    const success = rightSecret && fresh.delete(form.response ?? "");
    const errors = rightSecret ? ["timeout-or-duplicate"] : ["invalid-input-secret"];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ success, "error-codes": success ? [] : errors }));
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const TIDINGS_SITEVERIFY = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`;
  stack = await startStack({
    args: ["serve"],
    env: { TIDINGS_PUBLIC_URL: publicUrl, TIDINGS_RATE_LIMIT_SCALE: "1000", TIDINGS_SITEVERIFY, ...keys },
  });
});
afterAll(async () => {
  await stack?.stop();
  server.close();
});
beforeEach(() => {
  siteverify = "answers";
  asked = [];
  fresh = new Set(["passed"]);
});

type Answered = [number, { code?: string | number; error_code?: string; error?: string; msg?: string }];

const post = async (path: string, body: object): Promise<Answered> => {
  const answer = await fetch(stack.url + path, {
    method: "POST",
    headers: { apikey: stack.publishableKey, "content-type": "application/json", origin: publicUrl },
    body: JSON.stringify(body),
  });
  return [answer.status, (await answer.json()) as Answered[1]];
};
const person = () => ({ email: `${randomUUID()}@example.com`, password: "correct horse" });
const withToken = (token: string) => ({ gotrue_meta_security: { captcha_token: token } });

describe("the product's own forms", () => {
  const forms: [string, () => object, number, string?][] = [
    ["/api/auth/signup", () => ({ ...person(), fullName: "Ann", companyName: "Nile" }), 201],
    ["/api/auth/reset", () => ({ email: person().email }), 200],
    ["/api/auth/login", person, 401, "invalid_credentials"],
  ];

  test.each(forms)("%s accepts the token of a passed check, once", async (path, body, status, code) => {
    const [before, refused] = await post(path, body());
    expect([before, refused.code]).toEqual([422, "captcha_failed"]);
    const [none, without] = await post(path, { ...body(), captchaToken: null });
    expect([none, without.code]).toEqual([422, "captcha_failed"]);
    const [after, answer] = await post(path, { ...body(), captchaToken: "passed" });
    expect([after, answer.code]).toEqual([status, code]);
    expect(asked).toEqual([{ secret: keys.TURNSTILE_SECRET_KEY, response: "passed" }]);
    const [again, spent] = await post(path, { ...body(), captchaToken: "passed" });
    expect([again, spent.code]).toEqual([422, "captcha_failed"]);
  });

  test.each(forms)("%s returns an error sentence and rejects everyone while the check can't be verified", async (path, body) => {
    siteverify = "is broken";
    const [status, { code, error }] = await post(path, { ...body(), captchaToken: "passed" });
    expect([status, code, error]).toEqual([503, "unavailable", "The service is starting or busy. Please try again in a moment."]);
  });
});

describe("the auth service, called past /api", () => {
  const calls: [string, object][] = [
    ["signup", person()],
    ["token?grant_type=password", person()],
    ["recover", { email: "ann@example.com" }],
    ["resend", { email: "ann@example.com", type: "signup" }],
  ];

  test.each(calls)("answers %s without a valid token as GoTrue does", async (call, body) => {
    expect(await post(`/auth/v1/${call}`, body)).toEqual([
      400,
      { code: 400, error_code: "captcha_failed", msg: "captcha protection: request disallowed (no captcha_token found)" },
    ]);
    expect(await post(`/auth/v1/${call}`, { ...body, ...withToken("invented") })).toEqual([
      400,
      { code: 400, error_code: "captcha_failed", msg: "captcha protection: request disallowed (timeout-or-duplicate)" },
    ]);
    const [, { error_code: code }] = await post(`/auth/v1/${call}`, { ...body, ...withToken("passed") });
    expect(code).not.toBe("captcha_failed");
    expect(asked).toHaveLength(2);
  });

  test("rejects other spellings of its URLs that would bypass the check", async () => {
    for (const call of ["%73ignup", "%74oken?grant_type=password", "signu%70"])
      expect([call, (await post(`/auth/v1/${call}`, person()))[0]]).toEqual([call, 404]);
  });

  test("requires no token where GoTrue doesn't: to refresh a session", async () => {
    const [, { error_code: code }] = await post("/auth/v1/token?grant_type=refresh_token", { refresh_token: "nobody's" });
    expect(code).not.toBe("captcha_failed");
    expect(asked).toEqual([]);
  });

  test("rejects everyone with a secret that Turnstile doesn't know", async () => {
    siteverify = "knows another secret";
    const [status, { error_code: code }] = await post("/auth/v1/signup", { ...person(), ...withToken("passed") });
    expect([status, code]).toEqual([400, "captcha_failed"]);
  });
});

test("the operator can resend a sign-up link without a bot check, and a forged key can't", async () => {
  const [operator, waiting] = [person(), person()];
  const signUp = (account: object) =>
    post("/api/auth/signup", { ...account, fullName: "Ann", companyName: "Nile", captchaToken: "passed" });
  for (const account of [operator, waiting]) {
    fresh.add("passed");
    expect((await signUp(account))[0]).toBe(201);
  }
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  await sql`update auth.users set email_confirmed_at = now() where email = ${operator.email}`;
  await sql`insert into private.operators (user_id) select id from auth.users where email = ${operator.email}`;
  const [user] = await sql`select id from auth.users where email = ${waiting.email}`;
  await sql.end();
  fresh.add("passed");
  const [, session] = await post("/auth/v1/token?grant_type=password", { ...operator, ...withToken("passed") });
  const { access_token: token } = session as { access_token?: string };
  asked = [];
  await new Promise((resolve) => setTimeout(resolve, 1_050)); // one email a second, see config.toml
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", origin: publicUrl };
  const sent = await fetch(`${stack.url}/api/operator/people/${user!.id as string}/sign-up-link`, { method: "POST", headers, body: "{}" });
  expect([sent.status, asked]).toEqual([200, []]);
  for (const key of ["sb_secret_guess", stack.publishableKey]) {
    const answer = await fetch(`${stack.url}/auth/v1/resend`, {
      method: "POST",
      headers: { apikey: key, authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ email: waiting.email, type: "signup" }),
    });
    expect([key, answer.status, ((await answer.json()) as { error_code?: string }).error_code]).toEqual([key, 400, "captcha_failed"]);
  }
});

test("pages get the site key and can load the check", async () => {
  const config = (await (await fetch(`${stack.url}/api/config`)).json()) as { captchaSiteKey: string };
  expect(config.captchaSiteKey).toBe("site-key");
  const policy = (await fetch(`${stack.url}/`)).headers.get("content-security-policy");
  expect(policy).toContain("frame-src https://challenges.cloudflare.com;");
});

test("the operator's log says why requests were rejected, without the secret", async () => {
  siteverify = "is broken";
  await post("/auth/v1/signup", { ...person(), ...withToken("passed") });
  siteverify = "knows another secret";
  await post("/auth/v1/signup", { ...person(), ...withToken("passed") });
  const log = () => fs.readFileSync(path.join(stack.dataDir, "logs/supervisor.log"), "utf8");
  await expect.poll(log).toMatch(/bot check: 127\.0\.0\.1:\d+ can't be reached/);
  await expect.poll(log).toContain("bot check: TURNSTILE_SECRET_KEY is refused (invalid-input-secret)");
  expect(log()).not.toContain(keys.TURNSTILE_SECRET_KEY);
});

describe("a start with an incomplete bot check is refused in one sentence", () => {
  test.each([
    ["TURNSTILE_SITE_KEY", "TURNSTILE_SITE_KEY is set, but TURNSTILE_SECRET_KEY isn't. Set both, or the bot check isn't verified."],
    ["TURNSTILE_SECRET_KEY", "TURNSTILE_SECRET_KEY is set, but TURNSTILE_SITE_KEY isn't. Set both, or no one can sign in."],
  ] as const)("with only %s", async (name, sentence) => {
    const env = { ...stackEnvironment("/nowhere", await freePort()), [name]: keys[name] };
    const { code, output } = await run(["serve", "--public-url", publicUrl], env).ended;
    expect([code, output.trim()]).toEqual([1, sentence]);
  });
});
