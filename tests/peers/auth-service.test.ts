import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { decodeJwt } from "jose";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { errorCatalogue } from "#contract/errors.ts";
import { Client } from "../api/support/client.ts";
import { caughtMails } from "../api/support/mails.ts";
import { newPerson, password, type Person, signedInBrowser, sql } from "../api/support/people.ts";
import { sessionOf } from "../api/support/session-cookie.ts";
import { makeSession } from "../support/account.ts";

const { url, publishableKey } = inject("stack");
const newAddress = () => `${randomUUID()}@example.com`;

interface Said {
  error_code?: string;
  msg?: string;
  role?: string;
  identities?: object[];
  refresh_token?: string;
}

/** Past /api, with the publishable key. */
const ask = (method: string, path: string, body?: unknown, token?: string) =>
  new Client(url, token).send<Said>(method, `/auth/v1${path}`, { body, headers: { apikey: publishableKey, origin: null } });
const signUp = (email: string) => ask("POST", "/signup", { email, password });

test("this stack's auth service is GoTrue", async () => {
  expect((await ask("GET", "/health")).body).toMatchObject({ name: "GoTrue" });
});

describe("a stranger's sign-up past /api", () => {
  test("reveals if an address has a confirmed account: no identities and no role", async () => {
    const { email } = await newPerson();
    const [known, fresh] = [(await signUp(email)).body, (await signUp(newAddress())).body];
    expect([known.identities, known.role]).toEqual([[], ""]);
    expect([fresh.identities?.length, fresh.role]).toEqual([1, "authenticated"]);
  });

  test("reveals an unconfirmed account while its last email is recent", async () => {
    const email = newAddress();
    await signUp(email);
    for (const answer of [await signUp(email), await ask("POST", "/resend", { type: "signup", email })])
      expect([answer.status, answer.body.error_code]).toEqual([429, "over_email_send_rate_limit"]);
    expect((await ask("POST", "/resend", { type: "signup", email: newAddress() })).body).toEqual({});
  });

  test("sends another email to an unconfirmed account later", async () => {
    const email = newAddress();
    await signUp(email);
    await wait(1_100);
    expect((await signUp(email)).status).toBe(200);
    expect((await caughtMails(email)).map(({ subject }) => subject)).toEqual(Array(2).fill("Confirm your email address for Tidings"));
  });
});

describe("a deleted session", () => {
  test.each([
    ["made up", "unknown", "validation_failed"],
    ["empty", "", "validation_failed"],
    ["of the right form", "abcdefghijkl", "refresh_token_not_found"],
  ])("answers its refresh token, %s, with 400 %s", async (_, refresh_token, code) => {
    const { status, body } = await ask("POST", "/token?grant_type=refresh_token", { refresh_token });
    expect([status, body.error_code]).toEqual([400, code]);
  });

  test("answers its access token with 403 session_not_found", async () => {
    const { access_token: token } = sessionOf(await signedInBrowser(await newPerson()));
    expect((await ask("POST", "/logout?scope=local", undefined, token)).status).toBe(204);
    const { status, body } = await ask("GET", "/user", undefined, token);
    expect([status, body.error_code]).toEqual([403, "session_not_found"]);
  });
});

describe("a session created by tests as rows", () => {
  const renew = (refresh_token = "") => ask("POST", "/token?grant_type=refresh_token", { refresh_token });
  const newSession = async () => makeSession(sql, (await newPerson()).id, randomUUID(), "A browser");

  test("is refreshed by its refresh token like a real one", async () => {
    const { status, body } = await renew(await newSession());
    expect([status, body.refresh_token]).toEqual([200, expect.stringMatching(/^\w{12}$/)]);
  });

  test("is refreshed to the same one by two concurrent requests with one refresh token", async () => {
    const used = await newSession();
    const { body: first } = await renew(used);
    expect((await renew(used)).body.refresh_token).toBe(first.refresh_token);
  });

  test("ends when a refresh token is reused after two later ones, ten seconds on", async () => {
    const used = await newSession();
    await renew((await renew(used)).body.refresh_token);
    await sql`update auth.refresh_tokens set updated_at = now() - interval '11 seconds' where token = ${used}`;
    const { status, body } = await renew(used);
    expect([status, body.error_code]).toEqual([400, "refresh_token_already_used"]);
    const alive = await sql`
      select from auth.refresh_tokens a join auth.refresh_tokens u using (session_id) where u.token = ${used} and not a.revoked`;
    expect(alive).toHaveLength(0);
  });
});

describe("a signed-in user", () => {
  let person: Person;
  let token: string;
  beforeAll(async () => {
    person = await newPerson();
    token = sessionOf(await signedInBrowser(person)).access_token;
  });

  test("gets a token with the session, the service and the metadata", () => {
    expect(decodeJwt(token)).toMatchObject({ aud: "authenticated", role: "authenticated", sub: person.id, is_anonymous: false });
    expect(Object.keys(decodeJwt(token))).toEqual(expect.arrayContaining(["session_id", "iss", "aal", "amr", "user_metadata"]));
  });

  test.each([
    [{ password: "x".repeat(73) }, 400, "validation_failed"],
    [{ password: "short" }, 422, "weak_password"],
    [{ password }, 422, "same_password"],
    [{ email: "nonsense" }, 400, "validation_failed"],
  ])("changing the account to %j is answered %i %s", async (change, status, code) => {
    const answer = await ask("PUT", "/user", change, token);
    expect([answer.status, answer.body.error_code]).toEqual([status, code]);
  });

  test("learns of an address' existing account when changing email", async () => {
    const answer = await ask("PUT", "/user", { email: (await newPerson()).email }, token);
    expect([answer.status, answer.body.error_code]).toEqual([422, "email_exists"]);
  });

  test("gets one email at a time for a new address", async () => {
    const email = newAddress();
    await sql`insert into private.email_changes (user_id, old_email, new_email) values (${person.id}, ${person.email}, ${email})`;
    expect((await ask("PUT", "/user", { email }, token)).status).toBe(200);
    const again = await ask("PUT", "/user", { email }, token);
    expect([again.status, again.body.error_code]).toEqual([429, "over_email_send_rate_limit"]);
    expect(await caughtMails(email)).toHaveLength(1);
  });
});

test("can't change the address outside /api, alone or with a password, but gets its useless link", async () => {
  const person = await newPerson();
  const email = newAddress();
  const stolen = sessionOf(await signedInBrowser(person)).access_token;
  for (const more of [{}, { password: "another long password" }])
    expect((await ask("PUT", "/user", { email, ...more }, stolen)).status).toBe(500);
  const [mail] = await caughtMails(email);
  const link = { type: "email_change", token_hash: new URL(mail!.links[0]!).searchParams.get("token_hash") };
  expect((await ask("POST", "/verify", link)).body.error_code).toBe("otp_expired");
  expect((await signedInBrowser(person)).cookies.size).toBeGreaterThan(0); // the password is unchanged
});

test.each(["signup", "email", "invite", "recovery", "magiclink", "email_change"])(
  "the service rejects an unknown link of type %s as otp_expired, and the product as link_invalid",
  async (type) => {
    const link = { type, token_hash: "x".repeat(56) };
    expect((await ask("POST", "/verify", link)).body.error_code).toBe("otp_expired");
    expect((await new Client(url).post("/api/auth/verify", link)).body).toEqual({
      code: "link_invalid",
      error: errorCatalogue.link_invalid.sentence,
    });
  },
);

test("the service answers an unknown path with 404", async () => {
  expect((await ask("GET", "/nothing")).status).toBe(404);
});

test("the service creates its own schema, and its accounts have profiles", async () => {
  const email = newAddress();
  await signUp(email);
  const [row] = await sql`
    select u.instance_id, p.full_name from auth.users u join public.profiles p on p.user_id = u.id where u.email = ${email}`;
  expect(row!.instance_id).toBe("00000000-0000-0000-0000-000000000000");
  expect((await sql`select count(*)::int as count from auth.schema_migrations`)[0]!.count).toBeGreaterThan(60);
});
