import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { factorEndpoints } from "#contract/factors.ts";
import { type IdentityProvider as Settings, singleSignOnEndpoints } from "#contract/single-sign-on.ts";
import { makeAccount } from "../support/account.ts";
import { type DnsServer, startDns } from "../support/dns-server.ts";
import { IdentityProvider, type Lie } from "../support/identity-provider.ts";
import { as, Client } from "./support/client.ts";
import { caughtMails } from "./support/mails.ts";
import { newKey, newTeam, password, type Person, signToken, sql, type Team } from "./support/people.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";

const stack = inject("stack");
let dns: DnsServer;
let api: SecondFunction;
let provider: IdentityProvider;
let team: Team;
let domain: string;

beforeAll(async () => {
  dns = await startDns();
  api = await startFunction(stack, "api", { TIDINGS_DNS_SERVER: dns.address, TIDINGS_RATE_LIMIT_SCALE: "1000" });
  provider = await new IdentityProvider().start();
}, 60_000);
afterAll(async () => {
  await api?.stop();
  dns?.stop();
  provider?.stop();
});
beforeEach(() => {
  provider.lie = {};
});
const freshTeam = async () => {
  ({ team, domain } = await configured());
};

const via = ({ token }: Pick<Person, "token">) => new Client(stack.url, token);
const pathOf = (workspaceId: string, rest = "identity-provider") => `/api/workspaces/${workspaceId}/${rest}`;
const settings = (changes: Partial<Settings> & { client_secret?: string } = {}) => ({
  ...{
    kind: "oidc" as const,
    issuer: provider.url,
    client_id: provider.clientId,
    client_secret: provider.secret,
    join_as: "viewer" as const,
  },
  ...{ is_on: true, is_required: false },
  ...changes,
});
const save = (changes = {}, person = team.owner) => via(person).put(pathOf(team.workspaceId), settings(changes));
const newAddress = (at = domain) => `${randomUUID()}@${at}`;
const emailOf = async (id: string) => (await sql`select email from auth.users where id = ${id}`)[0]!.email as string;

async function withAddOn(): Promise<Team> {
  const made = await newTeam();
  await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${made.workspaceId}, 'sso')`;
  return made;
}

async function prove(owner: Person, workspaceId: string, name: string) {
  const added = as(singleSignOnEndpoints.addDomain, await via(owner).post(pathOf(workspaceId, "email-domains"), { domain: name }));
  const { record } = added.domains.find((one) => one.domain === name)!;
  dns.records[record.name] = { TXT: [record.value] };
  return await new Client(api.url, owner.token).post(pathOf(workspaceId, `email-domains/${name}/check`)); // it asks our DNS server
}

/** A workspace with a tested provider that is on, and a proven domain. */
async function configured(): Promise<{ team: Team; domain: string }> {
  const made = await withAddOn();
  const name = `${randomUUID()}.example`;
  await prove(made.owner, made.workspaceId, name);
  const owner = via(made.owner);
  await owner.put(pathOf(made.workspaceId), settings({ is_on: false }));
  const { url } = as(singleSignOnEndpoints.test, await owner.post(pathOf(made.workspaceId, "identity-provider/test")));
  const tested = await finish(owner, provider.approve(url, { sub: randomUUID(), email: `tester@${name}` }));
  expect([tested.status, tested.body]).toMatchObject([200, { test: { problem: null }, user: null }]);
  expect((await owner.put(pathOf(made.workspaceId), settings())).status).toBe(200);
  return { team: made, domain: name };
}

const begin = (client: Client, email: string, next?: string) => client.post<{ url: string }>("/api/auth/single-sign-on", { email, next });
const finish = (client: Client, query: URLSearchParams) =>
  client.post<{ workspaceId: string; user: { id: string } | null; next: string | null }>("/api/auth/single-sign-on/callback", {
    query: query.toString(),
  });

async function signIn(email: string, subject: string = randomUUID(), client = new Client(stack.url)) {
  const { url } = (await begin(client, email)).body;
  const answer = await finish(client, provider.approve(url, { sub: subject, email, name: "Grace Hopper" }));
  return { client, answer };
}

async function newColleague(confirmed = true): Promise<{ id: string; email: string }> {
  const id = randomUUID();
  const email = newAddress();
  await makeAccount(sql, id, { email, fullName: "Vic Tim", password });
  if (!confirmed) await sql`update auth.users set email_confirmed_at = null where id = ${id}`;
  return { id, email };
}
const logIn = (email: string) => new Client(stack.url).post("/api/auth/login", { email, password });

describe("settings", () => {
  beforeEach(freshTeam);

  test("are the owner's to change, and say nothing of the secret", async () => {
    const fresh = await withAddOn();
    const put = (person: Person) => via(person).put(pathOf(fresh.workspaceId), settings({ is_on: false }));
    for (const [person, status] of [
      [fresh.viewer, 403],
      [fresh.editor, 403],
      [fresh.admin, 403],
      [team.owner, 404],
      [fresh.owner, 200],
    ] as const)
      expect((await put(person)).status).toBe(status);
    const read = await via(fresh.admin).get(pathOf(fresh.workspaceId));
    expect(JSON.stringify(read.body)).not.toContain(provider.secret);
    expect(as(singleSignOnEndpoints.read, read).provider).toMatchObject({ is_on: false, tested_at: null });
    expect(JSON.stringify(await sql`select * from private.identity_providers`)).not.toContain(provider.secret);
    expect((await via(fresh.editor).get(pathOf(fresh.workspaceId))).status).toBe(403);
  });

  test("need the add-on, a test and a proven domain before single sign-on is on", async () => {
    const plain = await newTeam();
    const put = (is_on: boolean) => via(plain.owner).put(pathOf(plain.workspaceId), settings({ is_on }));
    expect((await put(false)).body.code).toBe("add_on_required");
    await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${plain.workspaceId}, 'sso')`;
    await put(false);
    expect((await put(true)).body.fields).toEqual({ is_on: "Test the sign-in first" });
    await sql`update private.identity_providers set tested_at = now() where workspace_id = ${plain.workspaceId}`;
    expect((await put(true)).body.fields).toEqual({ is_on: "Verify an email domain first" });
    await prove(plain.owner, plain.workspaceId, `${randomUUID()}.example`);
    expect((await put(true)).status).toBe(200);
  });

  test("another issuer takes a new secret and a new test; a new secret alone doesn't", async () => {
    expect((await save({ issuer: `${provider.url}/other`, client_secret: undefined })).body.fields).toEqual({
      client_secret: "Enter the client secret",
    });
    expect((await save({ client_secret: "rotated" })).body).toMatchObject({ provider: { is_on: true } });
    const owner = via(team.owner);
    const { url } = as(singleSignOnEndpoints.test, await owner.post(pathOf(team.workspaceId, "identity-provider/test")));
    const { body } = await finish(owner, provider.approve(url, { sub: "tester", email: newAddress() }));
    expect(body).toMatchObject({ test: { problem: "The provider answered: invalid_grant" } });
    expect((await save({ client_id: "other" })).body).toMatchObject({ provider: { is_on: false, tested_at: null } });
    const lines =
      await sql`select details from private.audit_log where workspace_id = ${team.workspaceId} and kind = 'security_changed' order by id desc limit 2`;
    expect(lines.map(({ details }) => details as object)).toMatchObject([
      { client_id: ["tidings", "other"] },
      { client_secret: "changed" },
    ]);
    expect(JSON.stringify(lines)).not.toContain("rotated");
  });

  test.skipIf(process.env.TIDINGS_AUTH === "gotrue")("SAML isn't offered without GoTrue", async () => {
    const { saml } = as(singleSignOnEndpoints.read, await via(team.owner).get(pathOf(team.workspaceId)));
    expect(saml).toBeNull();
    expect((await save({ kind: "saml", metadata: "<EntityDescriptor/>" })).body.code).toBe("saml_unavailable");
  });

  test.each(["not a url", "ftp://login.example.com", "https://login.example.com/?a=b"])("%s isn't an issuer", async (issuer) => {
    expect((await save({ issuer })).body.fields).toEqual({ issuer: "Enter a URL that starts with https://" });
  });

  test("a domain belongs to the first workspace that proves it, and is lost three days after its record", async () => {
    const other = await withAddOn();
    expect((await prove(other.owner, other.workspaceId, domain)).body.code).toBe("domain_taken");
    const [{ id }] =
      (await sql`select id from private.email_domains where domain = ${domain} and workspace_id = ${team.workspaceId}`) as unknown as [
        { id: string },
      ];
    await sql`select public.settle_email_domain(${id}, false)`;
    expect((await signIn(newAddress())).answer.status).toBe(200);
    await sql`update private.email_domains set missing_since = now() - interval '4 days' where id = ${id}`;
    await sql`select public.settle_email_domain(${id}, false)`;
    expect((await begin(new Client(stack.url), newAddress())).body.code).toBe("single_sign_on_unavailable");
  });
});

describe("a sign-in", () => {
  beforeAll(freshTeam);

  test("makes a viewer with a session at the first time, and the same account later", async () => {
    const email = newAddress();
    const subject = randomUUID();
    const { client, answer } = await signIn(email, subject);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { workspaceId: team.workspaceId, user: { email, full_name: "Grace Hopper" } },
    ]);
    expect((await client.get(`/api/team/role/${team.workspaceId}`)).body).toMatchObject({ role: "viewer" });
    const again = await signIn(email, subject);
    expect(again.answer.body.user?.id).toBe(answer.body.user?.id);
  });

  test("asks for the second factor of an account that has one", async () => {
    const { client, answer } = await signIn(newAddress(), "one");
    const { factor } = as(factorEndpoints.add, await client.post("/api/account/factors", {}));
    await sql`update private.factors set confirmed_at = now() where id = ${factor.id}`;
    const again = await signIn(await emailOf(answer.body.user!.id), "one");
    expect(again.answer.body).toMatchObject({ user: null, second_factor: true });
    expect((await again.client.get("/api/workspaces")).status).toBe(401);
  });

  test("reads the address from userinfo, if the ID token has none", async () => {
    const email = newAddress();
    const client = new Client(stack.url);
    const { url } = (await begin(client, email)).body;
    provider.lie.userInfo = { sub: "by userinfo", email };
    expect((await finish(client, provider.approve(url, { sub: "by userinfo" }))).status).toBe(200);
    const other = new Client(stack.url);
    provider.lie.userInfo = { sub: "someone else", email };
    expect((await finish(other, provider.approve((await begin(other, email)).body.url, { sub: "by userinfo" }))).body.code).toBe(
      "single_sign_on_failed",
    );
  });

  test.each<[string, Lie]>([
    ["a wrong nonce", { claims: { nonce: "another" } }],
    ["another audience", { claims: { aud: "another client" } }],
    ["several audiences without us as the authorized party", { claims: { aud: ["tidings", "another"], azp: "another" } }],
    ["an expired token", { claims: { exp: 1_000 } }],
    ["another issuer", { claims: { iss: "https://evil.example" } }],
    ["algorithm none", { signedBy: "nobody" }],
    [
      "algorithm none that discovery offers",
      { signedBy: "nobody", discovery: { id_token_signing_alg_values_supported: ["none", "RS256"] } },
    ],
    ["a key that isn't published", { signedBy: "another key" }],
    ["discovery of another issuer", { discovery: { issuer: "https://evil.example" } }],
    ["a sign-out URL that is not a web address", { discovery: { end_session_endpoint: "javascript:alert(1)" } }],
    ["an unverified address", { claims: { email_verified: false } }],
    ["an address of another domain", { claims: { email: "ceo@elsewhere.example" } }],
    ["an address that only ends like the domain", { claims: { email: "ceo@evil.example@elsewhere.example" } }],
  ])("is refused for %s", async (_, lie) => {
    const client = new Client(stack.url);
    const email = newAddress();
    const { url } = (await begin(client, email)).body;
    provider.lie = lie;
    const answer = await finish(client, provider.approve(url, { sub: randomUUID(), email }));
    expect([answer.status, answer.body]).toEqual([
      403,
      { code: "single_sign_on_failed", error: "Single sign-on failed. Try again, or ask your administrator." },
    ]);
    expect(client.cookies.has("tc-auth")).toBe(false);
    expect(await sql`select from auth.users where email = ${email}`).toHaveLength(0);
  });

  test("is refused when the response comes from another issuer, for another state, in another browser, or twice", async () => {
    const email = newAddress();
    const fresh = async () => {
      const client = new Client(stack.url);
      return { client, query: provider.approve((await begin(client, email)).body.url, { sub: "one", email }) };
    };
    const refused = async (client: Client, query: URLSearchParams) =>
      expect((await finish(client, query)).body.code).toBe("single_sign_on_failed");
    const mixedUp = await fresh();
    mixedUp.query.set("iss", "https://evil.example");
    await refused(mixedUp.client, mixedUp.query);
    const withoutIssuer = await fresh();
    withoutIssuer.query.delete("iss");
    await refused(withoutIssuer.client, withoutIssuer.query);
    const another = await fresh();
    another.query.set("state", "guessed");
    await refused(another.client, another.query);
    const { client, query } = await fresh();
    await refused(new Client(stack.url), query);
    const cookies = new Map(client.cookies);
    expect((await finish(client, query)).status).toBe(200);
    const replay = new Client(stack.url);
    for (const [name, value] of cookies) replay.cookies.set(name, value);
    query.set("code", provider.approve((await begin(new Client(stack.url), email)).body.url, { sub: "one", email }).get("code")!);
    await refused(replay, query);
  });

  test("continues only at our own pages, and sends the browser only to web addresses", async () => {
    const next = async (wish: string) => {
      const client = new Client(stack.url);
      const email = newAddress();
      return (await finish(client, provider.approve((await begin(client, email, wish)).body.url, { sub: randomUUID(), email }))).body.next;
    };
    expect(await next("/auth?redirectTo=%2Fworkspaces")).toBe("/auth?redirectTo=%2Fworkspaces");
    for (const wish of ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
      expect(await next(wish)).toBeNull();
    provider.lie.discovery = { authorization_endpoint: "javascript:alert(1)" };
    expect((await begin(new Client(stack.url), newAddress())).body).toMatchObject({ code: "single_sign_on_failed" });
  });

  test("answers alike for unknown domains, claimed ones, ones that are off, and suffixes; and for known domains whether or not there is an account", async () => {
    const claimed = `${randomUUID()}.example`;
    await via(team.owner).post(pathOf(team.workspaceId, "email-domains"), { domain: claimed });
    const off = await configured();
    await via(off.team.owner).put(pathOf(off.team.workspaceId), settings({ is_on: false }));
    const timed = async (email: string) => {
      const began = performance.now();
      const { status, body } = await begin(new Client(stack.url), email);
      return { answer: JSON.stringify([status, body]), ms: performance.now() - began };
    };
    const answers = [];
    for (const at of ["unknown.example", claimed, off.domain, `sub.${domain}`]) answers.push(await timed(newAddress(at)));
    expect(new Set(answers.map(({ answer }) => answer)).size).toBe(1);
    expect(JSON.parse(answers[0]!.answer)).toMatchObject([404, { code: "single_sign_on_unavailable" }]);
    expect(Math.min(...answers.map(({ ms }) => ms))).toBeGreaterThan(390);
    const colleague = await newColleague();
    const shape = async (email: string) => [...new URL((await begin(new Client(stack.url), email)).body.url).searchParams.keys()];
    expect(await shape(colleague.email)).toEqual(await shape(newAddress()));
  });
});

describe("an account that someone else made first", () => {
  beforeAll(freshTeam);

  test.each([
    ["unconfirmed", false],
    ["confirmed", true],
  ])("%s: its password, sessions, links and pending changes are worth nothing afterwards", async (_, confirmed) => {
    const { id, email } = await newColleague(confirmed);
    const attacker = via({ token: signToken({ sub: id, email }) });
    await sql`insert into auth.sessions (id, user_id, created_at, updated_at) values (${id}, ${id}, now(), now())`;
    await sql`update auth.users set confirmation_token = 'mailed earlier' where id = ${id}`;
    await sql`insert into private.email_changes (user_id, old_email, new_email, changed_at) values (${id}, 'attacker@evil.example', ${email}, now())`;
    await sql`insert into auth.identities (id, user_id, provider, provider_id, identity_data, created_at, updated_at)
      values (gen_random_uuid(), ${id}, 'google', ${`attacker ${id}`}, '{}', now(), now())`;
    const { client, answer } = await signIn(email);
    expect(answer.body.user?.id).toBe(id);
    expect((await client.get("/api/workspaces")).status).toBe(200);
    expect((await attacker.get("/api/workspaces")).status).toBe(401);
    expect((await logIn(email)).status).toBe(401);
    const link = await new Client(stack.url).post("/api/auth/verify", { token_hash: "mailed earlier", type: "signup" });
    expect(link.body.code).toBe("link_invalid");
    expect(await sql`select from auth.identities where user_id = ${id} and provider <> 'email'`).toHaveLength(0);
    expect(await sql`select from private.email_changes where user_id = ${id} and ended_at is null`).toHaveLength(0);
    const subjects = async () => (await caughtMails(email)).map(({ subject }) => subject);
    if (confirmed) await expect.poll(subjects).toEqual(["You signed in with single sign-on"]);
  });

  test("someone else's account at the provider isn't taken for it, and a removed member doesn't come back", async () => {
    const email = newAddress();
    const { answer } = await signIn(email, "first");
    expect((await signIn(email, "second")).answer.body.code).toBe("single_sign_on_refused");
    await sql`delete from public.members where user_id = ${answer.body.user!.id}`;
    expect((await signIn(email, "first")).answer.body.code).toBe("single_sign_on_refused");
    await save({ join_as: null });
    expect((await signIn(newAddress())).answer.body.code).toBe("single_sign_on_refused");
  });
});

describe("required single sign-on", () => {
  beforeEach(freshTeam);

  const listed = async (client: Client) =>
    (await client.get<{ workspaces: { id: string }[] }>("/api/workspaces")).body.workspaces.map(({ id }) => id);

  async function required(): Promise<{ owner: Client; code: string }> {
    const email = newAddress();
    await sql`update auth.users set email = ${email} where id = ${team.owner.id}`;
    const { client: owner } = await signIn(email, "the owner");
    const saved = as(singleSignOnEndpoints.save, await owner.put(pathOf(team.workspaceId), settings({ is_required: true })));
    return { owner, code: saved.break_glass_code! };
  }

  test("takes the owner's own single sign-on first", async () => {
    expect((await save({ is_required: true })).body.fields).toEqual({ is_required: "Sign in with single sign-on yourself first" });
  });

  test("refuses other sessions, keys of members who never used it, PostgREST, and sessions of another workspace's provider", async () => {
    const key = await newKey(team.admin, team.workspaceId);
    const keyStatus = async () => (await key.api.get("/api/v1/posts")).status;
    expect(await keyStatus()).toBe(200);
    const { owner } = await required();
    expect(await listed(owner)).toEqual([team.workspaceId]);
    expect(await keyStatus()).toBe(401);
    for (const person of [team.admin, team.editor, team.viewer]) {
      expect(await listed(via(person))).toEqual([]);
      expect((await via(person).get(pathOf(team.workspaceId))).body.code).toBe("single_sign_on_required");
      const rest = await fetch(`${stack.url}/rest/v1/workspaces?select=id`, {
        headers: { apikey: stack.publishableKey, authorization: `Bearer ${person.token}` },
      });
      expect(await rest.json()).toEqual([]);
      const { single_sign_on_required_by } = as(factorEndpoints.list, await via(person).get("/api/account/factors"));
      expect(single_sign_on_required_by).toEqual([{ id: team.workspaceId, name: "Acme", is_owner: false }]);
    }
    const others = await configured();
    const { client, answer } = await signIn(newAddress(others.domain));
    await sql`insert into public.members (workspace_id, user_id, role) values (${team.workspaceId}, ${answer.body.user!.id}, 'admin')`;
    expect(await listed(client)).toEqual([others.team.workspaceId]);
    expect((await via(team.admin).get("/api/workspaces/not-there/identity-provider")).status).toBe(404);
  });

  test("ends with the session's age, with sign-out and with the member's removal", async () => {
    await required();
    const { client, answer } = await signIn(newAddress());
    const { id } = answer.body.user!;
    expect(await listed(client)).toEqual([team.workspaceId]);
    await sql`update private.provider_sessions set created_at = now() - interval '8 days' where user_id = ${id}`;
    expect(await listed(client)).toEqual([]);
    await sql`update private.provider_sessions set created_at = now() where user_id = ${id}`;
    await sql`delete from public.members where user_id = ${id}`;
    expect(await sql`select from private.provider_sessions where user_id = ${id}`).toHaveLength(0);
    await client.post("/api/auth/logout");
    expect((await client.get("/api/workspaces")).status).toBe(401);
  });

  test("ends by the owner's break-glass code, once, by no one else's", async () => {
    const { code } = await required();
    const use = (person: Person, given = code) =>
      via(person).post(pathOf(team.workspaceId, "identity-provider/break-glass"), { code: given });
    await sql`insert into auth.sessions (id, user_id, created_at, updated_at) values (${team.owner.id}, ${team.owner.id}, now(), now()) on conflict do nothing`;
    expect(await listed(via(team.owner))).toEqual([]);
    expect((await use(team.admin)).body.code).toBe("single_sign_on_required");
    expect((await use(team.owner, "aaaa-bbbb-cccc-dddd")).body.fields).toEqual({ code: "This code isn't valid" });
    expect((await use(team.owner)).status).toBe(200);
    expect(await listed(via(team.owner))).toEqual([team.workspaceId]);
    expect((await use(team.owner)).status).toBe(422);
    const [line] =
      await sql`select kind, actor_id from private.audit_log where workspace_id = ${team.workspaceId} order by id desc limit 1`;
    expect(line).toEqual({ kind: "break_glass_used", actor_id: team.owner.id });
  });

  test("ends when the provider is removed or the add-on ends", async () => {
    const { owner } = await required();
    expect((await owner.delete(pathOf(team.workspaceId))).status).toBe(200);
    expect(await listed(via(team.admin))).toEqual([team.workspaceId]);
    const second = await configured();
    await sql`update public.workspaces set require_single_sign_on = true where id = ${second.team.workspaceId}`;
    await sql`delete from public.workspace_add_ons where workspace_id = ${second.team.workspaceId} and add_on = 'sso'`;
    expect(await listed(via(second.team.admin))).toEqual([second.team.workspaceId]);
  });
});

describe("people of a proven domain", () => {
  beforeAll(freshTeam);

  const setJoining = (join_by_domain: boolean) => via(team.owner).put(pathOf(team.workspaceId, "email-domains"), { join_by_domain });
  const isMember = async (id: string) =>
    (await sql`select role from public.members where workspace_id = ${team.workspaceId} and user_id = ${id}`)[0]?.role as
      | string
      | undefined;

  test("join as viewers at sign-in, once, if the workspace wants it", async () => {
    const colleague = await newColleague();
    await logIn(colleague.email);
    expect(await isMember(colleague.id)).toBeUndefined();
    await setJoining(true);
    expect((await logIn(colleague.email)).body).toMatchObject({ workspaceId: team.workspaceId });
    expect(await isMember(colleague.id)).toBe("viewer");
    await sql`delete from public.members where user_id = ${colleague.id}`;
    await logIn(colleague.email);
    expect(await isMember(colleague.id)).toBeUndefined();
  });

  test("others don't, nor do people of a domain that isn't proven", async () => {
    await setJoining(true);
    const colleague = await newColleague();
    await sql`update private.email_domains set proven_at = null where domain = ${domain}`;
    await logIn(colleague.email);
    expect(await isMember(colleague.id)).toBeUndefined();
    expect((await via(team.admin).put(pathOf(team.workspaceId, "email-domains"), { join_by_domain: false })).status).toBe(403);
  });
});
