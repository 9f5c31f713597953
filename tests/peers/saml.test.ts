import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { Client } from "../api/support/client.ts";
import { newTeam, sql, type Team } from "../api/support/people.ts";
import { freePort } from "../support/stack.ts";
import { serverIn } from "./packages.ts";

/** Single sign-on by SAML with GoTrue and crewjam's samlidp (./samlidp). */
const stack = inject("stack");
const domain = `${randomUUID()}.example`;
const { serve, stop } = serverIn({});
let idpUrl: string;
let team: Team;
let owner: Client;

beforeAll(async () => {
  const address = `127.0.0.1:${await freePort()}`;
  idpUrl = `http://${address}`;
  expect(await serve(`${idpUrl}/metadata`, import.meta.dirname, process.env.SAMLIDP_PATH!, address)).toBe(true);
  team = await newTeam();
  owner = new Client(stack.url, team.owner.token);
  const { saml } = (await owner.get<{ saml: { entity_id: string; acs_url: string } }>(settings())).body;
  expect(saml.acs_url).toBe(`${stack.publicUrl}/auth/v1/sso/saml/acs`);
  const metadata = await (await fetch(saml.entity_id)).text();
  expect((await fetch(`${idpUrl}/services/tidings`, { method: "PUT", body: metadata })).status).toBe(204);
  await sql`insert into private.email_domains (workspace_id, domain, proven_at) values (${team.workspaceId}, ${domain}, now())`;
});
afterAll(stop);

const settings = (workspaceId = team.workspaceId) => `/api/workspaces/${workspaceId}/identity-provider`;
const save = (changes = {}, workspaceId = team.workspaceId, api = owner) =>
  api.put(settings(workspaceId), { kind: "saml", join_as: "viewer", is_on: true, is_required: false, ...changes });
const begin = async (client: Client, email: string) => (await client.post<{ url: string }>("/api/auth/single-sign-on", { email })).body.url;
const finish = (client: Client, location: string) =>
  client.post<{ user: { id: string; email: string } }>("/api/auth/single-sign-on/callback", {
    query: new URL(location).searchParams.toString(),
  });

interface Response {
  xml: string;
  relayState: string;
}

/** The provider's response for a person with this address. */
async function respond(url: string, email: string): Promise<Response> {
  const user = { name: email, password: "x", email, common_name: "Grace Hopper" };
  await fetch(`${idpUrl}/users/${encodeURIComponent(email)}`, { method: "PUT", body: JSON.stringify(user) });
  const fieldOf = (page: string, name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`)
      .exec(page)![1]!
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const form = await (await fetch(url)).text();
  const body = new URLSearchParams({ user: email, password: "x" });
  for (const name of ["SAMLRequest", "RelayState"]) body.set(name, fieldOf(form, name));
  const page = await (await fetch(`${idpUrl}/sso`, { method: "POST", body })).text();
  return { xml: Buffer.from(fieldOf(page, "SAMLResponse"), "base64").toString(), relayState: fieldOf(page, "RelayState") };
}

/** Where the auth service continues. */
async function post({ xml, relayState }: Response): Promise<string> {
  const body = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString("base64"), RelayState: relayState });
  const headers = { origin: idpUrl };
  const response = await fetch(`${stack.publicUrl}/auth/v1/sso/saml/acs`, { method: "POST", body, headers, redirect: "manual" });
  return response.headers.get("location")!;
}

const newAddress = () => `${randomUUID()}@${domain}`;

test("the owner saves the metadata, tests the sign-in and turns it on", async () => {
  expect((await save({ metadata: `${idpUrl}/metadata` })).body.code).toBe("add_on_required");
  await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${team.workspaceId}, 'sso')`;
  expect((await save()).body.fields).toEqual({ metadata: "Enter the metadata's URL or XML" });
  expect((await save({ metadata: "<nonsense/>" })).body.fields).toEqual({ metadata: "This isn't valid SAML metadata" });
  const saved = await save({ metadata: `${idpUrl}/metadata`, is_on: false });
  expect(saved.body).toMatchObject({ provider: { kind: "saml", issuer: `${idpUrl}/metadata`, tested_at: null } });
  const { url } = (await owner.post<{ url: string }>(`${settings()}/test`)).body;
  const email = newAddress();
  expect((await finish(owner, await post(await respond(url, email)))).body).toMatchObject({ test: { problem: null } });
  expect(await sql`select from auth.users where email = ${email}`).toHaveLength(0);
  expect((await save()).body).toMatchObject({ provider: { is_on: true } });
  const again = await save({ metadata: await (await fetch(`${idpUrl}/metadata`)).text() });
  expect(again.body).toMatchObject({ provider: { is_on: true } }); // the same entity
});

test("the first sign-in joins as a viewer, the next is the same account; none is left at the auth service", async () => {
  const email = newAddress();
  const ids = [];
  for (let round = 0; round < 2; round++) {
    const client = new Client(stack.url);
    const { status, body } = await finish(client, await post(await respond(await begin(client, email), email)));
    expect([status, body]).toMatchObject([200, { workspaceId: team.workspaceId, user: { email, full_name: "Grace Hopper" } }]);
    expect((await client.get(`/api/team/role/${team.workspaceId}`)).body).toMatchObject({ role: "viewer" });
    ids.push(body.user.id);
  }
  expect(ids[1]).toBe(ids[0]);
  expect(await sql`select from auth.users where is_sso_user`).toHaveLength(0);
});

const victim = `ceo@${domain}`;
const signature = /<ds:Signature[\s\S]*?<\/ds:Signature>/;
const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;
/** Only the assertion is signed. */
const unwrapped = (xml: string) => xml.replace(signature, "");
const forge = (signed: string, email: string) =>
  signed
    .replace(signature, "")
    .replaceAll(email, victim)
    .replace(/ ID="[^"]+"/, ' ID="id-forged"');

const attacks: Record<string, (signed: string, email: string) => string> = {
  unsigned: (signed) => signed.replace(signature, ""),
  changed: (signed, email) => signed.replaceAll(email, victim),
  "forged before the signed one": (signed, email) => forge(signed, email) + signed,
  "forged after the signed one": (signed, email) => signed + forge(signed, email),
  "forged around the signed one": (signed, email) => forge(signed, email).replace("</saml:Assertion>", `${signed}</saml:Assertion>`),
  "forged with the signature of the signed one": (signed, email) =>
    forge(signed, email).replace("<saml:Subject>", `${signature.exec(signed)![0]}<saml:Subject>`),
};

/** Beside a signed assertion, a forged one counts for nothing. */
const ignored = ["forged before the signed one", "forged after the signed one"];

test.each(Object.entries(attacks))("an assertion that is %s is refused or ignored", async (name, attack) => {
  const client = new Client(stack.url);
  const email = newAddress();
  const { xml, relayState } = await respond(await begin(client, email), email);
  const location = await post({ xml: unwrapped(xml).replace(assertion, (signed) => attack(signed, email)), relayState });
  if (ignored.includes(name)) expect((await finish(client, location)).body).toMatchObject({ user: { email } });
  else expect(new URL(location).searchParams.get("error_description")).toMatch(/^SAML Assertion is not valid/);
  expect(await sql`select from auth.users where email = ${victim} or is_sso_user`).toHaveLength(0);
});

test("an assertion whose response isn't signed is accepted, so the refusals above are for the assertions", async () => {
  const client = new Client(stack.url);
  const email = newAddress();
  const { xml, relayState } = await respond(await begin(client, email), email);
  expect((await finish(client, await post({ xml: unwrapped(xml), relayState }))).body).toMatchObject({ user: { email } });
});

test("a response is refused the second time, and in another browser", async () => {
  const client = new Client(stack.url);
  const email = newAddress();
  const response = await respond(await begin(client, email), email);
  const location = await post(response);
  expect(new URL(await post(response)).searchParams.get("error_description")).toContain("RelayState does not exist");
  expect((await finish(new Client(stack.url), location)).body.code).toBe("single_sign_on_failed");
  expect((await finish(client, location)).status).toBe(200);
});

test("an address of another domain is refused", async () => {
  const client = new Client(stack.url);
  const elsewhere = `${randomUUID()}@elsewhere.example`;
  const { body } = await finish(client, await post(await respond(await begin(client, newAddress()), elsewhere)));
  expect(body.code).toBe("single_sign_on_failed");
  expect(await sql`select from auth.users where email = ${elsewhere}`).toHaveLength(0);
});

test("a response past /api gives a session without rights, and an account for a day", async () => {
  const email = newAddress();
  const start = await new Client(stack.url).send<{ url: string }>("POST", "/auth/v1/sso", {
    body: {
      provider_id: (await sql`select client_id from private.identity_providers where workspace_id = ${team.workspaceId}`)[0]!.client_id,
      skip_http_redirect: true,
    },
    headers: { apikey: stack.publishableKey, origin: null },
  });
  const token = new URLSearchParams(new URL(await post(await respond(start.body.url, email))).hash.slice(1)).get("access_token")!;
  expect((await new Client(stack.url, token).get("/api/workspaces")).status).toBe(401);
  const rest = await fetch(`${stack.url}/rest/v1/profiles?select=user_id`, {
    headers: { apikey: stack.publishableKey, authorization: `Bearer ${token}` },
  });
  expect(rest.status).toBeGreaterThanOrEqual(400);
  expect(await sql`select from auth.users where email = ${email}`).toHaveLength(0);
  await sql`update auth.users set created_at = now() - interval '2 days' where is_sso_user`;
  await sql`select private.tidy_up()`;
  expect(await sql`select from auth.users where is_sso_user`).toHaveLength(0);
});

test("another workspace can't take the provider, and it is free once it is removed", async () => {
  const other = await newTeam();
  const api = new Client(stack.url, other.owner.token);
  await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${other.workspaceId}, 'sso')`;
  const take = () => save({ metadata: `${idpUrl}/metadata`, is_on: false }, other.workspaceId, api);
  expect((await take()).body.fields).toEqual({ metadata: "Another workspace uses this provider" });
  expect((await owner.delete(settings())).status).toBe(200);
  expect((await take()).status).toBe(200);
  await sql`delete from public.workspaces where id = ${other.workspaceId}`;
  expect(await sql`select from auth.sso_providers`).toHaveLength(0);
});
