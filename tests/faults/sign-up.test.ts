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

/** `npm run serve` as it is installed: nothing is said about sign-up. */
async function serve(env: Record<string, string> = {}): Promise<void> {
  const settings = { PUBLIC_URL: publicUrl, RATE_LIMIT_SCALE: "1000", TIDINGS_SIGNUP: "" };
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

  test("lets in nobody but the operator, by the link in its log, once", async () => {
    const token = operatorToken()!;
    expect(await signUp(stranger())).toEqual(byInvitation);
    expect(await signUp(stranger(), "guess")).toEqual(byInvitation);
    expect(await signUp(operator, token)).toEqual({ status: 201, body: { success: true, confirmed: true } });
    expect(await signUp(stranger(), token)).toEqual(byInvitation);
    expect(await sql`select from private.operators o join auth.users u on u.id = o.user_id where u.email = ${operator}`).toHaveLength(1);
  });

  /** A call of the operator's. */
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

  test("shows its state to the operator, who grants a workspace an add-on and suspends it", async () => {
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

  test("answers a stranger alike about addresses with and without an account", async () => {
    for (const email of [operator, stranger()]) {
      expect(await signUp(email)).toEqual(byInvitation);
      expect(await direct(email)).toMatchObject({ status: 422, body: { code: 422, error_code: "signup_disabled" } });
    }
  });

  test("tells the page", async () => {
    expect((await call("GET", "/api/config")).body.signUp).toEqual({ mode: "invited", domains: [], is_offered: false });
  });

  test("makes no second link once there is an operator", async () => {
    await stop();
    await serve();
    expect(operatorToken()).toBeUndefined();
    expect(running.output()).not.toContain("sign-up is open");
  });
});

describe("an invitation", () => {
  /** One of a workspace of the operator's, for an address or, without one, for whoever has the link. */
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

  test("lets its person sign up by its link, at /api and at the auth service", async () => {
    const token = await invite(null);
    const [first, second] = [stranger(), stranger()];
    expect((await signUp(first, token)).status).toBe(201);
    expect((await direct(second, { invitation: createHash("sha256").update(token).digest("hex") })).status).toBe(200);
    expect([await accounts(first), await accounts(second)]).toEqual([1, 1]);
  });

  test("lets its address sign up, and no other", async () => {
    const email = stranger();
    const token = await invite(email);
    expect(await signUp(stranger(), token)).toEqual(byInvitation);
    expect((await direct(email.toUpperCase())).status).toBe(200);
    expect(await accounts(email)).toBe(1);
  });
});

describe("the auth service itself", () => {
  test.each([
    ["domains:a.example", ["ann@evil-a.example", "ann@a.example.evil", "ann@sub.a.example", "ann@b.example"]],
    ["closed", ["ann@a.example", "ann@b.example"]],
  ])("refuses a stranger's sign-up with TIDINGS_SIGNUP=%s, as /api does", async (value, emails) => {
    await stop();
    await serve({ TIDINGS_SIGNUP: value });
    for (const email of emails) {
      expect([email, (await direct(email)).status, (await signUp(email)).status]).toEqual([email, 422, 403]);
      expect([email, await accounts(email)]).toEqual([email, 0]);
    }
  });

  const empty = { email: "", password };
  test.each<[string, string, object]>([
    ["an anonymous account", "/auth/v1/signup", {}],
    ["no address", "/auth/v1/signup", empty],
    ["a phone", "/auth/v1/signup", { phone: "4915112345678", password }],
    ["a code by mail", "/auth/v1/otp", { email: "otp@b.example", create_user: true }],
    ["a magic link", "/auth/v1/magiclink", { email: "magic@b.example" }],
    ["an invitation of its own", "/auth/v1/invite", { email: "invite@b.example" }],
    ["an admin's call", "/auth/v1/admin/users", { email: "admin@b.example", password, email_confirm: true }],
    ["a path that is written otherwise", "/auth/v1/%73ignup", { email: "path@b.example", password }],
    ["an operator's claim", "/auth/v1/signup", { email: "op@b.example", password, data: { invitation: "0".repeat(64), operator: true } }],
  ])("makes no account by %s", async (_, path, body) => {
    const before = await sql`select id from auth.users`;
    expect((await call("POST", path, body)).status).toBeGreaterThanOrEqual(400);
    expect(await sql`select id from auth.users`).toHaveLength(before.length);
  });
});

test("TIDINGS_OPERATOR_EMAIL takes the place of the link, and TIDINGS_SIGNUP=open is said at the start", async () => {
  await stop();
  await serve({ TIDINGS_SIGNUP: "open", TIDINGS_OPERATOR_EMAIL: "Op@b.example" });
  expect(operatorToken()).toBeUndefined();
  expect(running.output()).toContain("sign-up is open");
  expect((await signUp("op@b.example")).status).toBe(201);
  expect(await sql`select from private.operators o join auth.users u on u.id = o.user_id where u.email = 'op@b.example'`).toHaveLength(1);
});
