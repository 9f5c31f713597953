import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { decodeJwt, jwtVerify } from "jose";
import postgres from "postgres";
import { afterAll, beforeEach, describe, expect, inject, test } from "vitest";
import { expectAlikeInTime } from "../api/support/timing.ts";

const { url, publishableKey, jwtSecret, dbUrl } = inject("stack");
const sql = postgres(dbUrl, { max: 1, onnotice: () => {} });
afterAll(() => sql.end());
const password = "correct horse battery";

interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  links: string[];
}

const newClient = (): SupabaseClient => createClient(url, publishableKey, { auth: { persistSession: false, autoRefreshToken: false } });
const mailsTo = async (email: string): Promise<Mail[]> =>
  ((await (await fetch(`${url}/dev/mail.json`)).json()) as Mail[]).filter(({ to }) => to === email);
const tokenIn = (mail: Mail | undefined): string => new URL(mail?.links[0] ?? "http://none/").searchParams.get("token_hash") ?? "";

const allowChange = (person: string, address: string) =>
  sql`insert into private.email_changes (user_id, old_email, new_email) values (${person}, 'old@example.com', ${address.toLowerCase()})`;

let email: string;
let client: SupabaseClient;
beforeEach(() => {
  email = `${crypto.randomUUID()}@example.com`;
  client = newClient();
});

async function confirmed(): Promise<void> {
  await client.auth.signUp({ email, password });
  const [mail] = await mailsTo(email);
  await client.auth.verifyOtp({ type: "signup", token_hash: tokenIn(mail) });
}

describe("sign-up", () => {
  test("with a known address looks like one with a new address, changes nothing and sends nothing", async () => {
    await confirmed();
    const { data, error } = await newClient().auth.signUp({ email: email.toUpperCase(), password: "another password" });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user?.email).toBe(email);
    expect(await mailsTo(email)).toHaveLength(1);
    expect((await newClient().auth.signInWithPassword({ email, password: "another password" })).error?.code).toBe("invalid_credentials");
    expect((await newClient().auth.signInWithPassword({ email, password })).error).toBeNull();
  });

  test.each(["a second sign-up", "asking again"])("%s sends a new link to an unconfirmed address", async (way) => {
    await client.auth.signUp({ email, password });
    const [before] = await mailsTo(email);
    await new Promise((resolve) => setTimeout(resolve, 1_050)); // one email a second, see config.toml
    const { error } =
      way === "asking again" ? await client.auth.resend({ type: "signup", email }) : await client.auth.signUp({ email, password });
    expect(error).toBeNull();
    const [after] = await mailsTo(email);
    expect(tokenIn(after)).not.toBe(tokenIn(before));
    expect((await client.auth.verifyOtp({ type: "signup", token_hash: tokenIn(before) })).error).not.toBeNull();
    expect((await client.auth.verifyOtp({ type: "signup", token_hash: tokenIn(after) })).data.session).not.toBeNull();
  });
});

describe("sign-in", () => {
  test("returns a token signed with the folder's key that names the user", async () => {
    await confirmed();
    const { data } = await newClient().auth.signInWithPassword({ email, password });
    const { payload } = await jwtVerify(data.session?.access_token ?? "", new TextEncoder().encode(jwtSecret), {
      audience: "authenticated",
    });
    expect(payload).toMatchObject({ sub: data.user?.id, role: "authenticated", email });
  });

  test("gives a session that can be refreshed until it ends", async () => {
    await confirmed();
    const { data } = await client.auth.signInWithPassword({ email, password });
    const renewed = await client.auth.refreshSession({ refresh_token: data.session?.refresh_token ?? "" });
    expect(decodeJwt(renewed.data.session?.access_token ?? "").sub).toBe(data.user?.id);
    await client.auth.signOut();
    const late = await newClient().auth.refreshSession({ refresh_token: renewed.data.session?.refresh_token ?? "" });
    expect(late.error).not.toBeNull();
  });
});

test("a password reset reveals nothing about an unknown address", async () => {
  expect((await client.auth.resetPasswordForEmail(email)).error).toBeNull();
  expect(await mailsTo(email)).toEqual([]);
});

async function asked(path: string, body: object, token?: string): Promise<{ status: number; body: unknown; ms: number }> {
  const began = performance.now();
  const answer = await fetch(`${url}/auth/v1/${path}`, {
    method: token === undefined ? "POST" : "PUT",
    headers: { apikey: publishableKey, "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text) as unknown, ms: performance.now() - began };
}

const formOf = (value: unknown): unknown => {
  if (typeof value === "string" && (value.includes("@") || /^\d{4}-\d\d-\d\dT|^[\da-f-]{36}$/.test(value))) return "…";
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, formOf(inner)]));
};

describe("past /api, a stranger can't find out who has an account", () => {
  const calls: [string, string, object][] = [
    ["signing up", "signup", { password: "a password", data: { full_name: "Ada", x: [1] } }],
    ["signing up without data", "signup", { password: "a password" }],
    ["signing up with a short password", "signup", { password: "short" }],
    ["signing up without a password", "signup", {}],
    ["signing in", "token?grant_type=password", { password: "wrong password" }],
    ["signing in without a password", "token?grant_type=password", {}],
    ["asking for a new password", "recover", {}],
    ["asking for another confirmation", "resend", { type: "signup" }],
    ["asking for a change of address again", "resend", { type: "email_change" }],
    ["asking for a code", "otp", {}],
    ["asking for a magic link", "magiclink", {}],
  ];

  test.each(calls)("by %s: confirmed, unconfirmed and unknown addresses get the same answer", async (_, path, body) => {
    const address = () => `${crypto.randomUUID()}@example.com`;
    await confirmed();
    const waiting = address();
    await client.auth.signUp({ email: waiting, password });
    const answers = await Promise.all([email, waiting, address()].map((one) => asked(path, { email: one, ...body })));
    const [known, waits, unknown] = answers.map(({ status, body: answer }) => ({ status, answer: formOf(answer) }));
    expect(known).toEqual(unknown);
    expect(waits).toEqual(unknown);
  });

  test.each([
    ["signing up", "signup", { password: "a password" }],
    ["signing in", "token?grant_type=password", { password: "wrong password" }],
    ["asking for a new password", "recover", {}],
    ["asking for another confirmation", "resend", { type: "signup" }],
  ])("by how long %s takes", async (_, path, body) => {
    await confirmed();
    const step = 250; // every such answer's time is rounded up to this
    const timed = async (address: string) => {
      const { ms } = await asked(path, { email: address, ...body });
      expect(ms).toBeGreaterThan(step - 2);
      return ms;
    };
    await expectAlikeInTime(
      () => timed(email),
      () => timed(`${crypto.randomUUID()}@example.com`),
    );
  });

  async function stranger(): Promise<{ client: SupabaseClient; token: string; email: string; id: string }> {
    const person = newClient();
    const own = `${crypto.randomUUID()}@example.com`;
    await person.auth.signUp({ email: own, password });
    const { data } = await person.auth.verifyOtp({ type: "signup", token_hash: tokenIn((await mailsTo(own))[0]) });
    return { client: person, token: data.session!.access_token, email: own, id: data.user!.id };
  }

  const changes: [string, object][] = [
    ["the address", {}],
    ["the address and the name", { data: { full_name: "Eve" } }],
  ];

  test.each(changes)("by changing %s of one's own account to a confirmed, unconfirmed or unknown one", async (_, change) => {
    await confirmed();
    const waiting = `${crypto.randomUUID()}@example.com`;
    await client.auth.signUp({ email: waiting, password });
    const answersTo = async (address: string) => {
      const eve = await stranger();
      await allowChange(eve.id, address);
      const answer = await asked("user", { email: address, ...change }, eve.token);
      const seen = (await eve.client.auth.getUser()).data.user;
      const again = await asked("resend", { type: "email_change", email: eve.email });
      const renewed = (await eve.client.auth.refreshSession()).data.user;
      expect([answer.status, seen?.new_email]).toEqual([200, address]);
      return formOf([answer.status, answer.body, seen, again.status, again.body, renewed]);
    };
    const unknown = await answersTo(`${crypto.randomUUID()}@example.com`);
    expect(await answersTo(email)).toEqual(unknown);
    expect(await answersTo(waiting)).toEqual(unknown);
    expect(await mailsTo(email)).toHaveLength(1);
    expect(await mailsTo(waiting)).toHaveLength(1);
    expect((await newClient().auth.signInWithPassword({ email, password })).error).toBeNull();
  });

  test("by how long a change of one's own address takes", async () => {
    await confirmed();
    const { token, id } = await stranger();
    const timed = async (address: string) => {
      await allowChange(id, address);
      const { ms } = await asked("user", { email: address }, token);
      expect(ms).toBeGreaterThan(250 - 2);
      return ms;
    };
    await expectAlikeInTime(
      () => timed(email),
      () => timed(`${crypto.randomUUID()}@example.com`),
    );
  });

  test("a foreign token is refused and changes nothing", async () => {
    await confirmed();
    const { client: eve, token } = await stranger();
    const forged = `${token.split(".").slice(0, 2).join(".")}.${"x".repeat(43)}`;
    expect((await asked("user", { email }, forged)).status).toBe(403);
    expect((await eve.auth.getUser()).data.user?.new_email).toBeUndefined();
  });
});

test("a change of address without the password is refused, and sends no email", async () => {
  await confirmed();
  const token = (await client.auth.getSession()).data.session!.access_token;
  const wanted = `${crypto.randomUUID()}@example.com`;
  for (const more of [{}, { password: "another long password" }]) {
    const answer = await asked("user", { email: wanted, ...more }, token);
    expect(answer).toMatchObject({ status: 403, body: { error_code: "reauthentication_needed" } });
  }
  expect(await mailsTo(wanted)).toEqual([]);
});

test("a change of address by its emailed link still works after one to a known address", async () => {
  await confirmed();
  const known = email;
  email = `${crypto.randomUUID()}@example.com`;
  client = newClient();
  await confirmed();
  const wanted = `${crypto.randomUUID()}@example.com`;
  const { id } = (await client.auth.getUser()).data.user!;
  for (const address of [known.toUpperCase(), wanted]) {
    await allowChange(id, address);
    expect((await client.auth.updateUser({ email: address })).error).toBeNull();
  }
  const [mail] = await mailsTo(wanted);
  const { data } = await newClient().auth.verifyOtp({ type: "email_change", token_hash: tokenIn(mail) });
  expect(data.user?.email).toBe(wanted);
});

test.each(["/auth/v1/nothing", "/auth/v1/admin/users", "/auth/v1/%75ser", "/auth/v1/", "/auth/v1", "/auth/v1/user/"])(
  "%s is not available, with a token or without",
  async (path) => {
    await confirmed();
    const { data } = await client.auth.getSession();
    for (const authorization of [undefined, `Bearer ${data.session!.access_token}`]) {
      const answer = await fetch(url + path, { headers: { apikey: publishableKey, ...(authorization && { authorization }) } });
      expect([answer.status, await answer.json()]).toEqual([404, { code: 404, error_code: "not_found", msg: "Not found" }]);
    }
  },
);

test("an ended session's token neither reads nor changes the account", async () => {
  await confirmed();
  const { data } = await client.auth.getSession();
  const headers = { apikey: publishableKey, authorization: `Bearer ${data.session!.access_token}`, "content-type": "application/json" };
  const change = () => fetch(`${url}/auth/v1/user`, { method: "PUT", headers, body: JSON.stringify({ password: "mine from now on" }) });
  const read = () => fetch(`${url}/auth/v1/user`, { headers });
  expect((await read()).status).toBe(200);
  await client.auth.signOut();
  for (const answer of [await read(), await change()]) {
    expect([answer.status, await answer.json()]).toMatchObject([403, { error_code: "session_not_found" }]);
  }
  expect((await newClient().auth.signInWithPassword({ email, password })).error).toBeNull();
});

test("a password too long for bcrypt is refused, also on a change", async () => {
  const long = "é".repeat(37);
  expect(await asked("signup", { email, password: long })).toMatchObject({ status: 400, body: { error_code: "validation_failed" } });
  await confirmed();
  expect((await client.auth.updateUser({ password: long })).error?.code).toBe("validation_failed");
  expect((await newClient().auth.signInWithPassword({ email, password })).error).toBeNull();
});
