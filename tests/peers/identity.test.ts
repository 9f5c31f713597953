import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { Client } from "../api/support/client.ts";
import { newTeam, password, sql, type Team } from "../api/support/people.ts";
import { sessionOf } from "../api/support/session-cookie.ts";
import { demoProvider } from "../../supabase/local/seed/demo-provider.ts";
import { CertifiedProvider, ProviderBrowser } from "../support/certified-provider.ts";
import { startStack } from "../support/stack.ts";

/** Single sign-on with oidc-provider, and GoTrue as the auth service. tests/api/single-sign-on has the malformed answers that this provider can't give. */
const stack = inject("stack");
const redirectUri = `${stack.publicUrl}/auth/callback`;
const domain = `${randomUUID()}.example`;
const provider = new CertifiedProvider({ redirectUri });
const another = new CertifiedProvider({ redirectUri });
let team: Team;
let owner: Client;

beforeAll(async () => {
  await Promise.all([provider.start(), another.start()]);
  team = await newTeam();
  owner = new Client(stack.url, team.owner.token);
  await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${team.workspaceId}, 'sso')`;
  await sql`insert into private.email_domains (workspace_id, domain, proven_at) values (${team.workspaceId}, ${domain}, now())`;
  await save({ is_on: false });
  expect((await finish(owner, await visit(await beginTest(), newAddress()))).body).toMatchObject({ test: { problem: null } });
  expect((await save()).status).toBe(200);
});
afterAll(() => {
  provider.stop();
  another.stop();
});

const newAddress = () => `${randomUUID()}@${domain}`;
const settings = () => `/api/workspaces/${team.workspaceId}/identity-provider`;
const save = (changes = {}) =>
  owner.put(settings(), {
    ...{ kind: "oidc", issuer: provider.issuer, client_id: provider.clientId, client_secret: provider.secret },
    ...{ join_as: "viewer", is_on: true, is_required: false, ...changes },
  });
const begin = async (client: Client, email: string) =>
  (await client.post<{ url: string }>("/api/auth/single-sign-on", { email, next: "/workspaces" })).body.url;
const beginTest = async () => (await owner.post<{ url: string }>(`${settings()}/test`)).body.url;
const finish = (client: Client, query: URLSearchParams) =>
  client.post<{ user: { id: string } | null; next: string }>("/api/auth/single-sign-on/callback", { query: query.toString() });
const changed = (url: string, changes: Record<string, string>) => {
  const other = new URL(url);
  for (const [name, value] of Object.entries(changes)) other.searchParams.set(name, value);
  return other.href;
};

const visit = (url: string, email: string) => new ProviderBrowser().signIn(url, email);

async function signIn(email = newAddress(), browser = new ProviderBrowser()) {
  const client = new Client(stack.url);
  return { client, answer: await finish(client, await browser.signIn(await begin(client, email), email)) };
}

test.each([true, false])(
  "the first sign-in joins as a viewer, the next is the same account (address in the ID token: %s)",
  async (hasEmailInIdToken) => {
    provider.restart({ hasEmailInIdToken });
    const email = newAddress();
    const { client, answer } = await signIn(email);
    expect([answer.status, answer.body]).toMatchObject([200, { workspaceId: team.workspaceId, user: { email }, next: "/workspaces" }]);
    expect((await client.get(`/api/team/role/${team.workspaceId}`)).body).toMatchObject({ role: "viewer" });
    expect((await signIn(email)).answer.body.user!.id).toBe(answer.body.user!.id);
  },
);

/** How the browser comes back from the provider, after `start`. */
type Attack = (start: () => Promise<string>, email: string) => Promise<URLSearchParams>;

describe("a sign-in is refused", () => {
  const attacks: Record<string, [reason: RegExp, Attack]> = {
    "for another nonce": [
      /unexpected ID Token "nonce"/,
      async (start, email) => visit(changed(await start(), { nonce: "another" }), email),
    ],
    "for another PKCE challenge": [
      /The provider answered: grant request is invalid/,
      async (start, email) => visit(changed(await start(), { code_challenge: "x".repeat(43) }), email),
    ],
    "with the code of another client": [
      /The provider answered: grant request is invalid/,
      async (start, email) => visit(changed(await start(), { client_id: "another" }), email),
    ],
    "with an expired ID token": [
      /"exp"/,
      async (start, email) => {
        const url = await start();
        vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 600_000 }); // the provider's clock
        return visit(url, email);
      },
    ],
    "with the response of another provider": [
      /"iss"/,
      async (start, email) => visit((await start()).replace(provider.issuer, another.issuer), email),
    ],
    "with another provider's code and our provider's issuer": [
      /The provider answered: grant request is invalid/,
      async (start, email) => {
        const query = await visit((await start()).replace(provider.issuer, another.issuer), email);
        query.set("iss", provider.issuer);
        return query;
      },
    ],
    "with a code from another browser": [
      /The provider answered: grant request is invalid/,
      async (start, email) => {
        const state = new URL(await start()).searchParams.get("state")!;
        const query = await visit(await begin(new Client(stack.url), email), email);
        query.set("state", state);
        return query;
      },
    ],
    "for an address of another domain": [
      /isn't one of your verified email domains/,
      async (start) => visit(await start(), `${randomUUID()}@elsewhere.example`),
    ],
    "if the person cancels": [
      /The provider answered: access_denied/,
      async (start) => {
        const state = new URL(await start()).searchParams.get("state")!;
        return new URLSearchParams({ error: "access_denied", state, iss: provider.issuer });
      },
    ],
  };

  test.each(Object.entries(attacks))("%s", async (_, [reason, attack]) => {
    const client = new Client(stack.url);
    const email = newAddress();
    const { status, body } = await finish(client, await attack(() => begin(client, email), email));
    vi.useRealTimers();
    expect([status, body.code]).toEqual([403, "single_sign_on_failed"]);
    expect(client.cookies.has("tc-auth")).toBe(false);
    expect(await sql`select from auth.users where email = ${email}`).toHaveLength(0);
    const tested = await finish(owner, await attack(beginTest, email));
    vi.useRealTimers();
    expect(tested.body).toMatchObject({ test: { problem: expect.stringMatching(reason) } });
  });

  test("by the provider, if the browser is to return elsewhere", async () => {
    const url = changed(await begin(new Client(stack.url), newAddress()), { redirect_uri: "https://evil.example/" });
    const { status, headers } = await new ProviderBrowser().fetch(url);
    expect([status, headers.get("location")]).toEqual([400, null]);
  });
});

test("an account that someone else made first at GoTrue has no password or session left", async () => {
  const email = newAddress();
  const attacker = new Client(stack.url);
  const headers = { apikey: stack.publishableKey, origin: null };
  const signUp = await attacker.send<{ id: string }>("POST", "/auth/v1/signup", { body: { email, password }, headers });
  expect(signUp.status).toBe(200);
  await sql`update auth.users set email_confirmed_at = now() where id = ${signUp.body.id}`;
  await attacker.post("/api/auth/login", { email, password });
  const { refresh_token } = sessionOf(attacker);
  const { answer } = await signIn(email);
  expect(answer.body.user?.id).toBe(signUp.body.id);
  for (const [grant, body] of [
    ["password", { email, password }],
    ["refresh_token", { refresh_token }],
  ] as const)
    expect((await attacker.send("POST", `/auth/v1/token?grant_type=${grant}`, { body, headers })).status).toBe(400);
  expect((await attacker.get("/api/workspaces")).status).toBe(401);
});

test("signing out ends the session at the provider too, of this session only", async () => {
  const email = newAddress();
  const browser = new ProviderBrowser();
  const client = new Client(stack.url);
  await finish(client, await browser.signIn(await begin(client, email), email));
  const other = new Client(stack.url);
  await finish(other, await browser.signIn(await begin(other, email), email)); // without a form
  for (const [name, value] of other.cookies) if (name.startsWith("tc-auth")) client.cookies.set(name, value);
  expect((await client.post("/api/auth/logout")).body).toEqual({ success: true });

  const { client: last } = await signIn(email, browser);
  const { url } = (await last.post<{ url: string }>("/api/auth/logout")).body;
  expect(new URL(url).origin + new URL(url).pathname).toBe(`${provider.issuer}/session/end`);
  expect(await browser.signOut(url)).toBe(redirectUri);
  const again = await browser.fetch(await begin(new Client(stack.url), email));
  expect(again.headers.get("location")).toContain("/interaction/"); // it asks for the password
});

test("a new client secret takes one save, and new keys of the provider take nothing", async () => {
  provider.rotateSecret();
  expect((await signIn()).answer.body.code).toBe("single_sign_on_failed");
  const tested = await finish(owner, await visit(await beginTest(), newAddress()));
  expect(tested.body).toMatchObject({ test: { problem: "The provider answered: client authentication failed" } });
  expect((await save()).body).toMatchObject({ provider: { is_on: true } });
  expect((await signIn()).answer.status).toBe(200);
  await provider.rotateKeys();
  expect((await signIn()).answer.status).toBe(200);
});

test("the demo of npm run dev has single sign-on", async () => {
  const dev = await startStack({ args: ["dev"], seed: "demo" });
  try {
    const client = new Client(dev.url);
    const email = `grace@${demoProvider.domain}`;
    await expect.poll(() => client.post("/api/auth/single-sign-on", { email }), { timeout: 60_000 }).toMatchObject({ status: 200 });
    const query = await visit(await begin(client, email), email);
    expect((await finish(client, query)).body).toMatchObject({ user: { email } });
  } finally {
    await dev.stop();
  }
});
