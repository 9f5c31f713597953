import { createHash, randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { decodeJwt } from "jose";
import { describe, expect, inject, test } from "vitest";
import { errorCatalogue } from "#contract/errors.ts";
import { Client } from "./support/client.ts";
import { caughtMails } from "./support/mails.ts";
import { newInvite, newPerson, newWorkspace, password, signedInBrowser, sql } from "./support/people.ts";
import { cookieNames, sessionOf } from "./support/session-cookie.ts";
import { expectAlikeInTime } from "./support/timing.ts";

const { url, publishableKey, publicUrl } = inject("stack");
const newAddress = () => `${randomUUID()}@example.com`;
const account = (email = newAddress()) => ({ email, password, fullName: "Grace Hopper", companyName: "Navy" });

async function mailedToken(email: string): Promise<string> {
  const link = (await caughtMails(email))[0]?.links.find((address) => address.includes("token_hash="));
  if (!link) throw new Error(`no mail to ${email}`);
  return new URL(link).searchParams.get("token_hash")!;
}

test("sign-up, the emailed link and sign-in give an account with its names", async () => {
  const browser = new Client(url);
  const person = account();
  expect(await browser.post("/api/auth/signup", person)).toMatchObject({ status: 201, body: { success: true } });
  expect([...browser.cookies.keys()]).toEqual(["tc-signup"]);
  const link = { token_hash: await mailedToken(person.email), type: "signup" };
  const verified = await browser.post("/api/auth/verify", link);
  const user = { email: person.email, full_name: "Grace Hopper" };
  expect(verified).toMatchObject({ status: 200, body: { success: true, user, choosePassword: false } });
  expect(cookieNames(browser)).toEqual(["tc-auth"]);
  expect((await browser.get("/api/profiles/me")).body).toMatchObject({
    success: true,
    profile: { email: person.email, full_name: "Grace Hopper", company_name: "Navy", job_title: null, avatar_url: null },
  });
  const answer = await new Client(url).post("/api/auth/login", { email: person.email.toUpperCase(), password: person.password });
  expect(answer).toMatchObject({ status: 200, body: { workspaceId: null, user: { email: person.email, full_name: "Grace Hopper" } } });
});

test("sign-up treats a bot check token of null as missing", async () => {
  const person = account();
  const ask = (call: string, body: object) => new Client(url).post(`/api/auth/${call}`, { ...body, captchaToken: null });
  expect(await ask("signup", person)).toMatchObject({ status: 201, body: { success: true } });
  expect(await ask("reset", { email: person.email })).toMatchObject({ status: 200 });
  expect(await ask("login", person)).toMatchObject({ status: 403, body: { code: "email_not_confirmed" } });
});

test("a confirmation link works once", async () => {
  const person = account();
  const browser = new Client(url);
  await browser.post("/api/auth/signup", person);
  const link = { token_hash: await mailedToken(person.email), type: "signup" };
  const both = await Promise.all([new Client(url).post("/api/auth/verify", link), new Client(url).post("/api/auth/verify", link)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
  expect((await browser.post("/api/auth/verify", link)).body).toEqual({
    error: errorCatalogue.link_invalid.sentence,
    code: "link_invalid",
  });
});

test("an unconfirmed account can't sign in", async () => {
  const person = account();
  await new Client(url).post("/api/auth/signup", person);
  const answer = await new Client(url).post("/api/auth/login", person);
  expect(answer).toMatchObject({ status: 403, body: { code: "email_not_confirmed", error: errorCatalogue.email_not_confirmed.sentence } });
});

test("a wrong password and an unknown address get the same answer in the same time", async () => {
  const { email } = await newPerson();
  const timed = async (body: object) => {
    const started = performance.now();
    const { status, body: said } = await new Client(url).post("/api/auth/login", body);
    return { status, said, ms: performance.now() - started };
  };
  const wrong = await timed({ email, password: "not the password" });
  const unknown = await timed({ email: newAddress(), password: "not the password" });
  expect([wrong.status, wrong.said]).toEqual([401, { code: "invalid_credentials", error: errorCatalogue.invalid_credentials.sentence }]);
  expect([unknown.status, unknown.said]).toEqual([wrong.status, wrong.said]);
  await expectAlikeInTime(
    async () => (await timed({ email, password: "not the password" })).ms,
    async () => (await timed({ email: newAddress(), password: "not the password" })).ms,
  );
});

test("signing up with a known address gets the same answer in the same time, and changes nothing", async () => {
  const { email, id } = await newPerson();
  const timed = async (address: string) => {
    const started = performance.now();
    const { status, body } = await new Client(url).post("/api/auth/signup", account(address));
    return { status, body, ms: performance.now() - started };
  };
  const known = await timed(email);
  const fresh = await timed(newAddress());
  expect([known.status, known.body]).toEqual([fresh.status, fresh.body]);
  await expectAlikeInTime(
    async () => (await timed(email)).ms,
    async () => (await timed(newAddress())).ms,
  );
  expect(await sql`select full_name from public.profiles where user_id = ${id}`).toMatchObject([{ full_name: "Ada Lovelace" }]);
  await signedInBrowser({ email });
});

test("a sign-up stores its invitation without the token, which is in no metadata or access token; nor is a company name", async () => {
  const owner = await newPerson();
  const { id: workspaceId } = await newWorkspace(owner);
  const { id, token } = await newInvite(owner, workspaceId);
  const person = { ...account(), token };
  const browser = new Client(url);
  await browser.post("/api/auth/signup", person);
  const [user] = await sql`select id, raw_user_meta_data as data from auth.users where email = ${person.email}`;
  expect(user!.data).not.toHaveProperty("company_name");
  expect(await sql`select invite_id from private.remembered_invites where user_id = ${user!.id}`).toEqual([{ invite_id: id }]);
  const stored = await sql`select to_jsonb(u)::text as row from auth.users u where id = ${user!.id}
    union all select to_jsonb(i)::text from auth.identities i where user_id = ${user!.id}`;
  expect(JSON.stringify(stored)).not.toContain(token);
  await browser.post("/api/auth/verify", { token_hash: await mailedToken(person.email), type: "signup" });
  const claims = decodeJwt(sessionOf(browser).access_token);
  const [confirmed] = await sql`select raw_user_meta_data as data from auth.users where id = ${user!.id}`;
  expect(JSON.stringify([claims, confirmed])).not.toMatch(new RegExp(`${token}|signup_browser`));
  expect((await browser.post("/api/team/join/session")).body).toEqual({ success: true, workspaceId });
});

describe("a user who signs up first with another person's address", () => {
  const stranger = { fullName: "Mallory", password: "the stranger's password" };
  const open = async (browser: Client, email: string, type = "signup") =>
    browser.post("/api/auth/verify", { token_hash: await mailedToken(email), type });
  const signIn = async (email: string, word: string) => (await new Client(url).post("/api/auth/login", { email, password: word })).status;
  const aMoment = () => new Promise((resolve) => setTimeout(resolve, 1_050));

  test("doesn't know the password after the person confirms the address, as they choose a new one", async () => {
    const [email, owner] = [newAddress(), new Client(url)];
    await new Client(url).post("/api/auth/signup", { ...account(email), ...stranger });
    await aMoment();
    await owner.post("/api/auth/signup", account(email));
    expect(await open(owner, email)).toMatchObject({ status: 200, body: { choosePassword: true } });
    expect([await signIn(email, stranger.password), await signIn(email, password)]).toEqual([401, 401]);
    await choosePassword(owner, "the owner's password");
    expect([await signIn(email, stranger.password), await signIn(email, "the owner's password")]).toEqual([401, 200]);
  });

  test("isn't admitted by forged metadata, a mark of their own, or without marks", async () => {
    const mark = "0".repeat(64);
    for (const data of [{}, { signup_browser: null }, { signup_browser: createHash("sha256").update(mark).digest("hex") }]) {
      const [email, owner] = [newAddress(), new Client(url)];
      await createClient(url, publishableKey).auth.signUp({ email, password: stranger.password, options: { data } });
      await owner.post("/api/auth/signup", account(newAddress()));
      expect(await open(owner, email)).toMatchObject({ status: 200, body: { choosePassword: true } });
      expect(await signIn(email, stranger.password)).toBe(401);
    }
  });

  test("loses the password when the account is opened by a reset link, even if none is chosen", async () => {
    const [email, owner] = [newAddress(), new Client(url)];
    await new Client(url).post("/api/auth/signup", { ...account(email), ...stranger });
    await owner.post("/api/auth/reset", { email });
    expect((await open(owner, email, "recovery")).status).toBe(200);
    expect(await signIn(email, stranger.password)).toBe(401);
  });

  test("gains nothing by opening the person's link again, and a browser's mark works for one account", async () => {
    const [email, browser] = [newAddress(), new Client(url)];
    await browser.post("/api/auth/signup", account(email));
    const mark = browser.cookies.get("tc-signup")!;
    expect(browser.lastCookies).toEqual([
      expect.stringMatching(/^tc-signup=[0-9a-f]{64}; Max-Age=3600; Path=\/api\/auth; HttpOnly; SameSite=Lax$/),
    ]);
    expect((await open(browser, email)).body.choosePassword).toBe(false);
    const copy = new Client(url);
    copy.cookies.set("tc-signup", mark);
    expect((await open(copy, email)).status).toBe(410);
    expect(await signIn(email, password)).toBe(200);
  });
});

async function choosePassword(browser: Client, word: string): Promise<void> {
  expect((await browser.put("/api/profiles/me/password", { password: word })).status).toBe(200);
}

test("common passwords are refused at sign-up and at a change, like the former one; a change is emailed", async () => {
  const fields = { password: "This password is too common. Please choose another one." };
  for (const common of ["password", "Sunshine", "1qaz2wsx", "Tidings2026", "!grace.hopper!"]) {
    const email = common.includes("grace") ? "grace.hopper@acme.example" : newAddress();
    expect(await new Client(url).post("/api/auth/signup", { ...account(email), password: common })).toMatchObject({
      status: 422,
      body: { fields },
    });
  }
  const ada = await newPerson();
  const browser = await signedInBrowser(ada);
  const change = (word: string, currentPassword = password) =>
    browser.put("/api/profiles/me/password", { password: word, currentPassword });
  expect((await change("iloveyou")).body).toMatchObject({ fields });
  expect((await change(password)).body.fields).toEqual({ password: "New password should be different from the old password." });
  expect((await change("short")).body.fields).toEqual({ password: "Please use at least 8 characters" });
  for (const wrong of ["", "a wrong password"]) {
    expect((await change("another horse battery", wrong)).body.fields).toEqual({ currentPassword: "This isn't your current password" });
  }
  expect((await change("another horse battery")).status).toBe(200);
  await expect.poll(async () => (await caughtMails(ada.email)).map(({ subject }) => subject)).toEqual(["Your password was changed"]);
});

test.each(["/api/auth/login", "/api/auth/signup", "/api/auth/verify"])("%s rejects another site's origin", async (path) => {
  const answer = await new Client(url).post(path, account(), { headers: { origin: "https://evil.example" } });
  expect([answer.status, answer.body.code]).toEqual([403, "cross_origin"]);
  const script = await new Client(url).post(path, {}, { headers: { origin: null } });
  expect(script.status).toBe(422);
});

test("signing up with extra fields grants no rights", async () => {
  const person = {
    ...account(),
    id: randomUUID(),
    role: "service_role",
    app_metadata: { admin: true },
    email_confirmed_at: "2020-01-01T00:00:00Z",
    data: { x: 1 },
  };
  await new Client(url).post("/api/auth/signup", person);
  const [user] = await sql`select id, role, raw_app_meta_data as app, email_confirmed_at from auth.users where email = ${person.email}`;
  expect(user).toMatchObject({ role: "authenticated", app: { provider: "email" }, email_confirmed_at: null });
  expect(user!.id).not.toBe(person.id);
});

test("the configuration has what the browser needs, and no secret", async () => {
  const { body, status } = await new Client(url).get("/api/config");
  expect(status).toBe(200);
  expect(body).toEqual({
    supabaseKey: publishableKey,
    host: new URL(publicUrl).host,
    captchaSiteKey: null,
    analyticsSrc: null,
    oauthProviders: [],
    signUp: { mode: "open", domains: [], is_offered: true },
  });
});

test("a password reset gives the same answer in the same time for known and unknown addresses, and emails only known ones", async () => {
  const { email } = await newPerson();
  const timed = async (address: string) => {
    const started = performance.now();
    const { status, body } = await new Client(url).post("/api/auth/reset", { email: address });
    return { status, body, ms: performance.now() - started };
  };
  const [unknown, nobody] = [newAddress(), { status: 200, body: { success: true } }];
  const [known, fresh] = [await timed(email), await timed(unknown)];
  expect([known, fresh]).toMatchObject([nobody, nobody]);
  await expectAlikeInTime(
    async () => (await timed(email)).ms,
    async () => (await timed(newAddress())).ms,
  );
  expect(await caughtMails(unknown)).toEqual([]);
  const token_hash = await mailedToken(email);
  const browser = new Client(url);
  expect((await browser.post("/api/auth/verify", { token_hash, type: "recovery" })).status).toBe(200);
  expect((await browser.get("/api/profiles/me")).status).toBe(200);
});

describe("a resent sign-up link", () => {
  const resend = (browser: Client, email: string) => browser.post("/api/auth/resend", { email });
  const aMoment = () => new Promise((resolve) => setTimeout(resolve, 1_050)); // one email a second, see config.toml

  test("arrives, and confirms the account in the browser that signed up while the new link is valid", async () => {
    const [person, browser] = [account(), new Client(url)];
    await browser.post("/api/auth/signup", person);
    const mark = browser.cookies.get("tc-signup");
    await aMoment();
    expect(await resend(browser, person.email)).toMatchObject({ status: 200, body: { success: true } });
    expect(browser.lastCookies).toEqual([expect.stringMatching(/^tc-signup=[0-9a-f]{64}; Max-Age=3600; Path=\/api\/auth; HttpOnly/)]);
    expect(browser.cookies.get("tc-signup")).toBe(mark);
    const mails = await caughtMails(person.email);
    expect(mails).toHaveLength(2);
    expect(mails[0]!.links).not.toEqual(mails[1]!.links);
    const link = { token_hash: await mailedToken(person.email), type: "signup" };
    expect(await browser.post("/api/auth/verify", link)).toMatchObject({ status: 200, body: { choosePassword: false } });
  });

  test("gives another browser no mark, and leaves the password unchanged", async () => {
    const [person, browser, other] = [account(), new Client(url), new Client(url)];
    await browser.post("/api/auth/signup", person);
    await aMoment();
    await resend(other, person.email);
    expect([...other.cookies.keys()]).toEqual([]);
    const link = { token_hash: await mailedToken(person.email), type: "signup" };
    expect(await browser.post("/api/auth/verify", link)).toMatchObject({ status: 200, body: { choosePassword: false } });
  });

  test("gets the same answer for an unconfirmed, a confirmed and an unknown address, and no email for the last two", async () => {
    const [waiting, { email: known }, unknown] = [account(), await newPerson(), newAddress()];
    await new Client(url).post("/api/auth/signup", waiting);
    await aMoment();
    const answers = [];
    for (const email of [waiting.email, known, unknown]) answers.push(await resend(new Client(url), email));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(3).fill([200, { success: true }]));
    expect([(await caughtMails(known)).length, (await caughtMails(unknown)).length]).toEqual([0, 0]);
    const timed = async (email: string) => {
      const started = performance.now();
      await resend(new Client(url), email);
      return performance.now() - started;
    };
    const others = await Promise.all(Array.from({ length: 4 }, async () => (await newPerson()).email));
    await expectAlikeInTime(
      () => timed(others.pop() ?? newAddress()),
      () => timed(newAddress()),
    );
  });
});

test.each(["signup", "email", "recovery", "email_change", "magiclink", "invite"])("an unknown link of type %s is invalid", async (type) => {
  const answer = await new Client(url).post("/api/auth/verify", { token_hash: "never-sent", type });
  expect([answer.status, answer.body.code]).toEqual([410, "link_invalid"]);
});
