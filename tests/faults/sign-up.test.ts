import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { operatorOverview } from "#contract/operator.ts";
import { freePort, run, type Run, stackEnvironment, type StackFile, untilReady } from "../support/stack.ts";
import { newDataFolder } from "../support/template.ts";

const publicUrl = "https://tidings.example";
const password = "correct horse";

let dataDir: string;
let running: Run;
let stack: StackFile;
let sql: postgres.Sql;
let spentLink: string;

async function serve(env: Record<string, string> = {}): Promise<void> {
  const settings = { TIDINGS_PUBLIC_URL: publicUrl, TIDINGS_RATE_LIMIT_SCALE: "1000", TIDINGS_SIGNUP: "" };
  running = run(["serve"], { ...stackEnvironment(dataDir, await freePort()), ...settings, ...env });
  stack = await untilReady(dataDir, running);
  sql = postgres(stack.dbUrl, { max: 2, onnotice: () => {} });
  await vi.waitFor(() => expect(running.output()).toContain("Listens on"), 10_000);
}

async function stop(): Promise<void> {
  await sql?.end();
  running.signal("SIGTERM");
  await running.ended;
}

beforeAll(async () => {
  dataDir = await newDataFolder();
  await serve();
});
afterAll(async () => {
  await stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

interface Body {
  code?: string | number;
  error?: string;
  error_code?: string;
  success?: true;
  confirmed?: true;
  signUp?: object;
}

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
  const headers = { apikey: stack.publishableKey, "content-type": "application/json", origin: publicUrl };
  const answer = await fetch(stack.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, body: (await answer.json()) as Body };
}
const signUp = (email: string, token?: string) =>
  call("POST", "/api/auth/signup", { email, password, fullName: "Ann", companyName: "Nile", token });
const direct = (email: string, data: object = {}) => call("POST", "/auth/v1/signup", { email, password, data });
const stranger = () => `${randomUUID()}@example.com`;
const accounts = async (email: string) => (await sql`select from auth.users where email = ${email}`).length;
const operatorToken = () => /type=signup\S*&token=([\w-]{43})\n/.exec(running.output())?.[1];
const byInvitation = { status: 403, body: { error: "Sign-up is by invitation.", code: "sign_up_by_invitation" } };

describe("a new installation", () => {
  const operator = stranger();

  test("accepts only the operator, by the link in its log, once", async () => {
    const token = operatorToken()!;
    spentLink = token;
    expect(await signUp(stranger())).toEqual(byInvitation);
    expect(await signUp(stranger(), "guess")).toEqual(byInvitation);
    expect(await signUp(operator, token)).toEqual({ status: 201, body: { success: true, confirmed: true } });
    expect(await signUp(stranger(), token)).toEqual(byInvitation);
    expect(await sql`select from private.operators o join auth.users u on u.id = o.user_id where u.email = ${operator}`).toHaveLength(1);
  });

  async function operatorCall<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const session = await call("POST", "/auth/v1/token?grant_type=password", { email: operator, password });
    const headers = {
      authorization: `Bearer ${(session.body as { access_token?: string }).access_token}`,
      "content-type": "application/json",
    };
    const answer = await fetch(stack.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    expect([path, answer.status]).toEqual([path, expect.toSatisfy((status: number) => status < 300)]);
    return (await answer.json()) as Answer;
  }

  test("shows its state to the operator, who grants an add-on to a workspace and suspends it", async () => {
    const founded = { name: "Rhine", subdomain: "rhine", origin: "https://rhine.example", jobTitle: "Operator" };
    const { workspace } = await operatorCall<{ workspace: { id: string } }>("POST", "/api/workspaces/create", founded);
    await operatorCall("POST", `/api/operator/workspaces/${workspace.id}/add-ons`, { add_on: "analytics" });
    await operatorCall("POST", `/api/operator/workspaces/${workspace.id}/suspension`, { message: "Closed." });
    const body = await operatorCall<object>("GET", "/api/operator");
    const shown = operatorOverview.parse(body);
    expect(body).toEqual(shown);
    expect(shown.machine).toMatchObject({ disk_bytes: expect.any(Number), free_bytes: expect.any(Number), backed_up_at: null });
    expect(shown.log).toMatchObject([
      { operator_name: "Ann", subject: "Rhine", kind: "suspended" },
      { operator_name: "Ann", subject: "Rhine", kind: "add_on_granted" },
    ]);
    const { workspaces } = await operatorCall<{ workspaces: object[] }>("GET", "/api/operator/workspaces?search=rhine");
    expect(workspaces).toMatchObject([{ owner_email: operator, add_ons: ["analytics", "teams"], suspension: { message: "Closed." } }]);
    const { people } = await operatorCall<{ people: object[] }>("GET", "/api/operator/people");
    expect(people).toMatchObject([{ email: operator, is_operator: true }]);
    await operatorCall("DELETE", `/api/operator/workspaces/${workspace.id}/suspension`);
  });

  test("answers sign-ups alike for addresses with and without an account", async () => {
    for (const email of [operator, stranger()]) {
      expect(await signUp(email)).toEqual(byInvitation);
      expect(await direct(email)).toMatchObject({ status: 422, body: { code: 422, error_code: "signup_disabled" } });
    }
  });

  test("tells the page that sign-up is closed", async () => {
    expect((await call("GET", "/api/config")).body.signUp).toEqual({ mode: "invited", domains: [], is_offered: false });
  });

  test("creates no second link once there is an operator", async () => {
    await stop();
    await serve();
    expect(operatorToken()).toBeUndefined();
    expect(running.output()).not.toContain("sign-up is open");
  });
});

async function invite(email: string | null): Promise<string> {
  const [{ user_id: person }] = (await sql`select user_id from private.operators`) as [{ user_id: string }];
  const token = randomUUID();
  await sql.begin(async (tx) => {
    const workspace = randomUUID();
    await tx`insert into public.workspaces (id, name, subdomain) values (${workspace}, 'Nile', ${`n${workspace.slice(0, 20)}`})`;
    await tx`insert into public.members (workspace_id, user_id, role) values (${workspace}, ${person}, 'owner') on conflict do nothing`;
    const hash = createHash("sha256").update(token).digest();
    await tx`insert into public.invites (workspace_id, role, email, token_hash, created_by) values (${workspace}, 'editor', ${email}, ${hash}, ${person})`;
  });
  return token;
}

describe("an invitation", () => {
  test("lets a person sign up by its link, at /api and at the auth service", async () => {
    const token = await invite(null);
    const [first, second] = [stranger(), stranger()];
    expect((await signUp(first, token)).status).toBe(201);
    expect((await direct(second, { invitation: createHash("sha256").update(token).digest("hex") })).status).toBe(200);
    expect([await accounts(first), await accounts(second)]).toEqual([1, 1]);
  });

  test("lets its email address sign up, and no other", async () => {
    const email = stranger();
    const token = await invite(email);
    expect(await signUp(stranger(), token)).toEqual(byInvitation);
    expect((await direct(email.toUpperCase())).status).toBe(200);
    expect(await accounts(email)).toBe(1);
  });
});

type Attempt = [name: string, send: (email: string) => Promise<{ status: number; body: Body }>];

describe("a stranger's attack on sign-up", () => {
  const invitations = { mailed: "", revoked: "", expired: "", used: "" };
  beforeAll(async () => {
    for (const name of ["mailed", "revoked", "expired", "used"] as const) {
      const token = await invite(name === "mailed" ? "someone@b.example" : null);
      invitations[name] = token;
      const column = { mailed: "mailed_at", revoked: "revoked_at", expired: "expires_at", used: "accepted_at" }[name];
      await sql`update public.invites set ${sql(column)} = now() where token_hash = ${createHash("sha256").update(token).digest()}`;
    }
  });

  const at = (path: string, body: object = {}, method = "POST") => call(method, path, body);
  const raw = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(stack.url + path, {
      method: "POST",
      headers: { apikey: stack.publishableKey, "content-type": "application/json", origin: publicUrl, ...headers },
      body,
    });
    return { status: answer.status, body: (await answer.json().catch(() => ({}))) as Body };
  };
  const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
  const forged = (claims: object) =>
    `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.`;
  const account = (email: string) => ({ email, password });

  const attempts: Attempt[] = [
    ...[
      "ann@evil-a.example",
      "ann@a.example.evil",
      "ann@sub.a.example",
      "ann@a.example.",
      "ann@.a.example",
      "ann@а.example",
      "ann@ａ.example",
      "ann@a。example",
      "ann@xn--80a.example",
      "ann@a.example@b.example",
      '"ann@a.example"@b.example',
      "ann@b.example,ann@a.example",
      "ann@b.example\nann@a.example",
      "Ann <ann@a.example> ann@b.example",
    ].map((address): Attempt => [`the address ${JSON.stringify(address)}`, async () => (await signUp(address), await direct(address))]),
    ["no token", (email) => signUp(email)],
    ["a guessed token", (email) => signUp(email, "guess")],
    ["the operator's link, used again", (email) => signUp(email, spentLink)],
    ["the invitation of another address", (email) => signUp(email, invitations.mailed)],
    ["a revoked invitation", (email) => signUp(email, invitations.revoked)],
    ["an expired invitation", (email) => signUp(email, invitations.expired)],
    ["a used invitation", (email) => signUp(email, invitations.used)],
    ["the hash of an invitation in place of its token", (email) => signUp(email, hashOf(invitations.mailed))],
    ["the auth service itself", (email) => direct(email)],
    ["a revoked invitation at the auth service", (email) => direct(email, { invitation: hashOf(invitations.revoked) })],
    ["an invitation's token in place of its hash", (email) => direct(email, { invitation: invitations.mailed })],
    ["an operator's claim", (email) => direct(email, { invitation: "0".repeat(64), operator: true, role: "service_role" })],
    ["an anonymous account", () => at("/auth/v1/signup")],
    ["no address", () => at("/auth/v1/signup", account(""))],
    ["a phone", () => at("/auth/v1/signup", { phone: "4915112345678", password })],
    [
      "two addresses of one name",
      (email) => raw("/auth/v1/signup", `{"email":"ann@a.example","email":"${email}","password":"${password}"}`),
    ],
    ["an address under another spelling", (email) => at("/auth/v1/signup", { EMAIL: email, Email: email, password })],
    ["a form", (email) => raw("/auth/v1/signup", `email=${email}&password=x`, { "content-type": "application/x-www-form-urlencoded" })],
    ["a path that is encoded", (email) => at("/auth/v1/%73ignup", account(email))],
    ["a path with two slashes", (email) => at("/auth/v1//signup", account(email))],
    ["a path in capitals", (email) => at("/auth/v1/SIGNUP", account(email))],
    ["a code by mail", (email) => at("/auth/v1/otp", { email, create_user: true })],
    ["a magic link", (email) => at("/auth/v1/magiclink", { email })],
    ["an invitation of its own", (email) => at("/auth/v1/invite", { email })],
    [
      "an identity token",
      () => at("/auth/v1/token?grant_type=id_token", { provider: "google", id_token: forged({ email: "x@b.example" }) }),
    ],
    ["an admin's call", (email) => at("/auth/v1/admin/users", { ...account(email), email_confirm: true })],
    [
      "an admin's call with a forged token",
      (email) =>
        raw("/auth/v1/admin/users", JSON.stringify(account(email)), { authorization: `Bearer ${forged({ role: "service_role" })}` }),
    ],
    [
      "the database's own function",
      (email) => at("/rest/v1/rpc/create_account_by_link", { token: spentLink, email, password, full_name: "Ann" }),
    ],
  ];

  test("consists of at least 42 attempts", () => expect(attempts.length).toBeGreaterThanOrEqual(42));

  describe.each(["domains", "invited", "closed"])("where sign-up is %s", (mode) => {
    beforeAll(() => sql`select private.set_sign_up_rule(${mode}, ${mode === "domains" ? ["a.example"] : []})`);

    test.each(attempts)("fails by %s", async (_, send) => {
      const before = await sql`select id from auth.users`;
      const { status, body } = await send(`${randomUUID()}@b.example`);
      expect([status >= 400, body]).toEqual([true, expect.not.objectContaining({ access_token: expect.anything() as unknown })]);
      expect(await sql`select id from auth.users`).toHaveLength(before.length);
    });
  });

  test("doesn't move an account to another or the operator's address without its mailbox", async () => {
    await sql`select private.set_sign_up_rule('domains', ${["a.example"]}, 'boss@a.example')`;
    const email = `${randomUUID()}@a.example`;
    for (const address of [email, "boss@a.example"]) expect((await signUp(address)).status).toBe(201);
    for (const address of [email, "boss@a.example"]) {
      const session = await call("POST", "/auth/v1/token?grant_type=password", { email: address, password });
      expect([address, session.status]).toEqual([address, 400]); // unconfirmed: no session that could change it
    }
    await sql`update auth.users set email_confirmed_at = now() where email = ${email}`;
    const session = await call("POST", "/auth/v1/token?grant_type=password", { email, password });
    const headers = {
      apikey: stack.publishableKey,
      authorization: `Bearer ${(session.body as { access_token?: string }).access_token}`,
      "content-type": "application/json",
    };
    for (const address of ["ann@b.example", "boss@a.example"])
      await fetch(`${stack.url}/auth/v1/user`, { method: "PUT", headers, body: JSON.stringify({ email: address }) });
    expect(await sql`select from auth.users where email = 'ann@b.example'`).toEqual([]);
    expect(await sql`select from private.operators o join auth.users u on u.id = o.user_id where u.email = ${email}`).toEqual([]);
  });
});

test("addresses of a configured domain can sign up, in any case and with a part after +", async () => {
  await stop();
  await serve({ TIDINGS_SIGNUP: "domains:a.example" });
  expect((await direct("Ann+direct@A.Example")).status).toBe(200);
  expect((await signUp("ANN+api@A.EXAMPLE")).status).toBe(201);
  expect([await accounts("ann+direct@a.example"), await accounts("ann+api@a.example")]).toEqual([1, 1]);
});

test("TIDINGS_OPERATOR_EMAIL replaces the link, and TIDINGS_SIGNUP=open is logged at the start", async () => {
  await stop();
  await serve({ TIDINGS_SIGNUP: "open", TIDINGS_OPERATOR_EMAIL: "Op@b.example" });
  expect(operatorToken()).toBeUndefined();
  expect(running.output()).toContain("sign-up is open");
  expect((await signUp("op@b.example")).status).toBe(201);
  expect(await sql`select from private.operators o join auth.users u on u.id = o.user_id where u.email = 'op@b.example'`).toHaveLength(1);
});
