import { TOTP } from "otpauth";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { factorEndpoints, securityEndpoints } from "#contract/factors.ts";
import { factorsPerPerson } from "#contract/limits.ts";
import { as, Client } from "./support/client.ts";
import { caughtMails } from "./support/mails.ts";
import { newKey, newPerson, newTeam, password, type Person, signedInBrowser, sql, type Team } from "./support/people.ts";

const stack = inject("stack");
const periodMs = 30_000;

/** Each test's codes start two steps ago, as a step counts once. */
class App {
  readonly id: string;
  readonly secret: string;
  #shift = -1;
  constructor({ id, secret }: { id: string; secret: string }) {
    this.id = id;
    this.secret = secret;
  }
  at(shift: number): string {
    return new TOTP({ secret: this.secret }).generate({ timestamp: Date.now() + shift * periodMs });
  }
  next(): string {
    return this.at(this.#shift++);
  }
}

async function addApp(client: Client, name = "Phone"): Promise<App> {
  return new App(as(factorEndpoints.add, await client.post("/api/account/factors", { name })).factor);
}
const verify = (client: Client, app: App, code: string) => client.post(`/api/account/factors/${app.id}/verify`, { code });
async function turnOn(client: Client): Promise<{ app: App; codes: string[] }> {
  const app = await addApp(client);
  return { app, codes: as(factorEndpoints.verify, await verify(client, app, app.next())).recovery_codes };
}
const factorsOf = async (client: Client) => as(factorEndpoints.list, await client.get("/api/account/factors"));
const give = (client: Client, code: string) => client.post("/api/auth/factor", { code });
const wrong = { status: 422, fields: { code: "This code isn't valid. Codes work once and change every 30 seconds." } };
const shown = ({ status, body }: { status: number; body: { fields?: unknown } }) => ({ status, fields: body.fields });

let ada: Person;
let browser: Client;
const subjects = async () => (await caughtMails(ada.email)).map(({ subject }) => subject);
beforeEach(async () => {
  ada = await newPerson();
  browser = await signedInBrowser(ada);
});

async function passwordAlone(person: Pick<Person, "email"> = ada): Promise<Client> {
  const client = new Client(stack.url);
  const answer = await client.post("/api/auth/login", { email: person.email, password });
  expect([answer.status, answer.body]).toEqual([200, { workspaceId: null, user: null, second_factor: true }]);
  return client;
}

describe("an authenticator app", () => {
  test("counts from its first code on, which gives ten recovery codes and an email", async () => {
    const app = await addApp(browser);
    expect((await factorsOf(browser)).factors).toMatchObject([{ name: "Phone", is_confirmed: false }]);
    expect(shown(await verify(browser, app, "000000"))).toEqual(wrong);
    expect((await signedInBrowser(ada)).cookies.size).toBeGreaterThan(0); // no code needed yet
    const codes = as(factorEndpoints.verify, await verify(browser, app, app.next())).recovery_codes;
    expect(codes).toHaveLength(10);
    expect(await factorsOf(browser)).toMatchObject({ factors: [{ is_confirmed: true }], recovery_codes_left: 10, required_by: [] });
    await expect.poll(subjects).toEqual(["An authenticator app was added"]);
  });

  test("is asked for at the next sign-in, and a session without its code has no rights", async () => {
    const { app } = await turnOn(browser);
    const client = await passwordAlone();
    for (const path of ["/api/profiles/me", "/api/workspaces", "/api/account/factors"]) expect((await client.get(path)).status).toBe(401);
    const token = JSON.parse(Buffer.from(client.cookies.get("tc-auth")!.slice("base64-".length), "base64url").toString()) as {
      access_token: string;
    };
    const rest = await fetch(`${stack.url}/rest/v1/profiles?select=user_id`, {
      headers: { apikey: stack.publishableKey, authorization: `Bearer ${token.access_token}` },
    });
    expect([rest.status, (await rest.json()) as object]).toMatchObject([400, { hint: "unauthenticated" }]);
    const newPassword = await fetch(`${stack.url}/auth/v1/user`, {
      method: "PUT",
      headers: { apikey: stack.publishableKey, authorization: `Bearer ${token.access_token}`, "content-type": "application/json" },
      body: JSON.stringify({ password: "another password" }),
    });
    expect(newPassword.status).toBe(403);
    const answer = await give(client, app.next());
    expect([answer.status, answer.body]).toMatchObject([200, { workspaceId: null, user: { id: ada.id } }]);
    expect((await client.get("/api/profiles/me")).status).toBe(200);
  });

  test("refuses every other session until it gives a code", async () => {
    const other = await signedInBrowser(ada);
    await turnOn(browser);
    expect((await other.get("/api/profiles/me")).status).toBe(401);
    expect((await ada.api.get("/api/profiles/me")).status).toBe(401);
    expect((await browser.get("/api/profiles/me")).status).toBe(200);
  });

  test("accepts a code once, also of twenty requests at once", async () => {
    const { app } = await turnOn(browser);
    const clients = await Promise.all(Array.from({ length: 5 }, () => passwordAlone()));
    const code = app.next();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => give(clients[index % 5]!, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 422, 429].includes(status))).toBe(true);
  });

  test("tells nothing of another account's codes, and isn't removed by its owner's password alone", async () => {
    const grace = await newPerson();
    const { app } = await turnOn(browser);
    const { app: hers } = await turnOn(grace.api);
    expect(shown(await give(await passwordAlone(), hers.next()))).toEqual(wrong);
    expect((await verify(grace.api, app, app.at(0))).status).toBe(404);
    expect((await grace.api.delete(`/api/account/factors/${app.id}`, { body: { code: hers.next() } })).status).toBe(404);
    const client = await passwordAlone();
    for (const call of [
      verify(client, app, app.next()),
      client.post("/api/account/factors", {}),
      client.post("/api/account/recovery-codes", { code: app.at(1) }),
    ])
      expect((await call).status).toBe(401);
    expect((await client.delete(`/api/account/factors/${app.id}`, { body: { code: app.at(1) } })).status).toBe(401);
  });

  test("goes with a code, which ends the second step and the recovery codes", async () => {
    const { app } = await turnOn(browser);
    const remove = (code: string) => browser.delete(`/api/account/factors/${app.id}`, { body: { code } });
    expect(shown(await remove("000000"))).toEqual(wrong);
    expect((await remove(app.next())).body).toEqual({ success: true });
    expect(await factorsOf(browser)).toEqual({ factors: [], recovery_codes_left: 0, required_by: [], single_sign_on_required_by: [] });
    expect((await (await signedInBrowser(ada)).get("/api/profiles/me")).status).toBe(200);
    await expect.poll(subjects).toContain("An authenticator app was removed");
  });

  test("is one of a limited number; an unconfirmed one is replaced", async () => {
    const { app } = await turnOn(browser);
    for (let n = 0; n < factorsPerPerson - 1; n += 1)
      await sql`insert into private.factors (id, user_id, name, secret, confirmed_at)
      select gen_random_uuid(), user_id, name, secret, now() from private.factors where id = ${app.id}`;
    expect((await browser.post("/api/account/factors", {})).body).toMatchObject({ code: "too_many_factors" });
    await sql`delete from private.factors where user_id = ${ada.id} and id <> ${app.id}`;
    await addApp(browser, "First");
    await addApp(browser, "Second");
    expect((await factorsOf(browser)).factors.map(({ name }) => name)).toEqual(["Phone", "Second"]);
  });

  test("leaves no secret or code in the database", async () => {
    const { app, codes } = await turnOn(browser);
    const [row] = await sql`select (select json_agg(f) from private.factors f where f.user_id = ${ada.id})::text ||
      (select json_agg(r) from private.recovery_codes r where r.user_id = ${ada.id})::text as dump`;
    for (const secret of [app.secret, ...codes, ...codes.map((code) => code.replaceAll("-", ""))]) expect(row!.dump).not.toContain(secret);
  });
});

describe("a recovery code", () => {
  test("signs in once, however it is typed, with an email", async () => {
    const { codes } = await turnOn(browser);
    const typed = ` ${codes[0]!.toUpperCase().replaceAll("-", " ")} `;
    expect((await give(await passwordAlone(), typed)).status).toBe(200);
    expect(shown(await give(await passwordAlone(), codes[0]!))).toEqual(wrong);
    expect((await factorsOf(browser)).recovery_codes_left).toBe(9);
    await expect.poll(subjects).toContain("A recovery code was used");
  });

  test("is replaced by ten others", async () => {
    const { app, codes } = await turnOn(browser);
    const renewed = as(
      factorEndpoints.renewRecoveryCodes,
      await browser.post("/api/account/recovery-codes", { code: app.next() }),
    ).recovery_codes;
    expect(renewed).toHaveLength(10);
    expect(shown(await give(await passwordAlone(), codes[0]!))).toEqual(wrong);
    expect((await give(await passwordAlone(), renewed[0]!)).status).toBe(200);
  });
});

test("an operator removes the factors of someone who lost them, which ends their sessions", async () => {
  await turnOn(browser);
  const operator = await newPerson();
  const remove = () => operator.api.delete(`/api/operator/people/${ada.id}/factors`);
  expect((await remove()).status).toBe(404);
  await sql`insert into private.operators (user_id) values (${operator.id})`;
  try {
    expect((await remove()).body).toEqual({ success: true });
    expect((await remove()).status).toBe(404);
    const overview = await operator.api.get<{ log: object[] }>("/api/operator");
    expect(overview.body.log[0]).toMatchObject({ kind: "factors_removed", subject: ada.email });
  } finally {
    await sql`delete from private.operators where user_id = ${operator.id}`;
  }
  expect((await browser.get("/api/profiles/me")).status).toBe(401);
  expect((await (await signedInBrowser(ada)).get("/api/profiles/me")).status).toBe(200);
  await expect.poll(subjects).toContain("An authenticator app was removed");
});

describe("a workspace that requires a second factor", () => {
  let team: Team;
  beforeEach(async () => {
    team = await newTeam();
  });
  const requireFactor = (client: Client, required = true) =>
    client.put(`/api/workspaces/${team.workspaceId}/security`, { require_second_factor: required });

  test("is set by an owner who has one", async () => {
    expect((await requireFactor(team.owner.api)).body.code).toBe("second_factor_required");
    expect((await requireFactor(team.admin.api)).status).toBe(403);
    await turnOn(team.owner.api);
    const { require_second_factor, without_factor } = as(securityEndpoints.save, await requireFactor(team.owner.api));
    expect([require_second_factor, without_factor.map(({ full_name }) => full_name)]).toEqual([
      true,
      ["Adam Admin", "Edda Editor", "Vera Viewer"],
    ]);
    const { lines } = (await team.owner.api.get<{ lines: { kind: string }[] }>(`/api/workspaces/${team.workspaceId}/audit`)).body;
    expect(lines[0]).toMatchObject({ kind: "security_changed", details: { require_second_factor: true } });
  });

  test("doesn't exist for members without one, nor for their keys, until they add it", async () => {
    const { secret } = await newKey(team.admin, team.workspaceId);
    const robot = new Client(stack.url, secret);
    expect((await robot.get("/api/v1/posts")).status).toBe(200);
    await turnOn(team.owner.api);
    await requireFactor(team.owner.api);
    expect((await robot.get("/api/v1/posts")).status).toBe(401);
    const { api } = team.admin;
    expect((await api.get("/api/workspaces")).body).toEqual({ workspaces: [] });
    for (const path of ["security", "audit", "role"].map((part) =>
      part === "role" ? `/api/team/role/${team.workspaceId}` : `/api/workspaces/${team.workspaceId}/${part}`,
    ))
      expect((await api.get(path)).body.code).toBe("second_factor_required");
    expect((await api.get("/api/profiles/me")).status).toBe(200);
    expect((await factorsOf(api)).required_by).toEqual([{ id: team.workspaceId, name: "Acme" }]);
    const { app } = await turnOn(api);
    expect((await api.get(`/api/team/role/${team.workspaceId}`)).status).toBe(200);
    expect((await robot.get("/api/v1/posts")).status).toBe(200);
    await api.delete(`/api/account/factors/${app.id}`, { body: { code: app.next() } });
    expect((await api.get(`/api/team/role/${team.workspaceId}`)).body.code).toBe("second_factor_required");
  });
});

describe("the link in the email about a change", () => {
  const linkIn = async (email: string, subject: string) => {
    await expect.poll(async () => (await caughtMails(email)).map((mail) => mail.subject)).toContain(subject);
    const mail = (await caughtMails(email)).find((one) => one.subject === subject)!;
    return new URL(mail.links.find((link) => link.includes("/auth/undo-change"))!).searchParams;
  };
  const undo = (query: URLSearchParams, confirm = false) =>
    new Client(stack.url).post("/api/auth/undo-change", { token: query.get("token"), confirm });
  const factorCount = async (id: string) =>
    (await sql`select from private.factors where user_id = ${id} and confirmed_at is not null`).length;

  test("undoes a changed password: it and every session end, once", async () => {
    expect((await browser.put("/api/profiles/me/password", { password: "a brand new passphrase", currentPassword: password })).status).toBe(
      200,
    );
    const link = await linkIn(ada.email, "Your password was changed");
    expect((await undo(link)).status).toBe(200);
    expect((await browser.get("/api/profiles/me")).status).toBe(401);
    expect((await new Client(stack.url).post("/api/auth/login", { email: ada.email, password: "a brand new passphrase" })).status).toBe(
      401,
    );
    expect((await undo(link)).body.code).toBe("link_invalid");
  });

  test("removes an added app, and brings back a removed one", async () => {
    const { app } = await turnOn(browser);
    const { app: second } = { app: await addApp(browser, "Tablet") };
    await verify(browser, second, second.next());
    await browser.delete(`/api/account/factors/${app.id}`, { body: { code: second.next() } });
    expect(await factorCount(ada.id)).toBe(1);
    expect((await undo(await linkIn(ada.email, "An authenticator app was removed"))).status).toBe(200);
    expect(await factorCount(ada.id)).toBe(2);
    expect((await browser.get("/api/profiles/me")).status).toBe(401);
    expect((await undo(await linkIn(ada.email, "An authenticator app was added"))).status).toBe(200);
    expect(await factorCount(ada.id)).toBe(1);
  });

  test("isn't valid after a day, for another purpose, or changed", async () => {
    await turnOn(browser);
    const link = await linkIn(ada.email, "An authenticator app was added");
    await sql`update private.credential_changes set created_at = now() - interval '25 hours' where user_id = ${ada.id}`;
    expect((await undo(link)).body.code).toBe("link_invalid");
    const [{ token }] =
      (await sql`select private.mail_token('email change', id) as token from private.credential_changes where user_id = ${ada.id}`) as unknown as [
        { token: string },
      ];
    for (const other of [token, `A${link.get("token")!.slice(1)}`, "a"])
      expect((await undo(new URLSearchParams({ token: other }))).body.code).toBe("link_invalid");
    expect(await factorCount(ada.id)).toBe(1);
  });

  describe("of an owner's reset", () => {
    let team: Team;
    let app: App;
    const request = (by: Person, of = ada.id) => by.api.post(`/api/workspaces/${team.workspaceId}/security/factor-resets`, { user_id: of });
    const due = () => sql`update private.credential_changes set created_at = now() - interval '25 hours' where user_id = ${ada.id}`;

    beforeEach(async () => {
      team = await newTeam();
      const domain = `${ada.id}.example`;
      ada = { ...ada, email: `ada@${domain}` };
      await sql`update auth.users set email = ${ada.email} where id = ${ada.id}`;
      await sql`insert into public.members (workspace_id, user_id, role) values (${team.workspaceId}, ${ada.id}, 'editor')`;
      await sql`insert into private.email_domains (workspace_id, domain, proven_at) values (${team.workspaceId}, ${domain}, now())`;
      ({ app } = await turnOn(browser));
    });

    test("removes the factors a day later, with an email and audit lines", async () => {
      const security = as(securityEndpoints.resetFactor, await request(team.owner));
      expect(security.resettable).toMatchObject([{ user_id: ada.id, reset_at: expect.any(String) as string }]);
      await linkIn(ada.email, "Your two-factor authentication will be reset");
      await sql`select private.finish_factor_resets()`;
      expect(await factorCount(ada.id)).toBe(1);
      await due();
      await sql`select private.finish_factor_resets()`;
      expect(await factorCount(ada.id)).toBe(0);
      expect((await browser.get("/api/profiles/me")).status).toBe(401);
      const lines =
        await sql`select kind from private.audit_log where workspace_id = ${team.workspaceId} and kind like 'factor%' order by id`;
      expect(lines.map(({ kind }) => kind as string)).toEqual(["factor_reset_requested", "factor_reset"]);
    });

    test("is the owner's, for members with an address of a proven domain", async () => {
      for (const person of [team.admin, team.editor, await newPerson()]) expect([403, 404]).toContain((await request(person)).status);
      const stranger = await newPerson();
      expect((await request(team.owner, stranger.id)).status).toBe(404);
      await sql`update private.email_domains set proven_at = null where workspace_id = ${team.workspaceId}`;
      expect((await request(team.owner)).status).toBe(404);
      await due();
      expect(await factorCount(ada.id)).toBe(1);
    });

    test("does nothing if the member objects, gives a code or leaves; and happens at once if they confirm", async () => {
      const subject = "Your two-factor authentication will be reset";
      await request(team.owner);
      expect((await undo(await linkIn(ada.email, subject))).status).toBe(200);
      await request(team.owner);
      await give(await passwordAlone(ada), app.next());
      expect(await sql`select from private.credential_changes where user_id = ${ada.id} and kind = 'factor_reset'`).toHaveLength(0);
      await request(team.owner);
      await sql`delete from public.members where user_id = ${ada.id}`;
      await due();
      await sql`select private.finish_factor_resets()`;
      expect(await factorCount(ada.id)).toBe(1);
      await sql`insert into public.members (workspace_id, user_id, role) values (${team.workspaceId}, ${ada.id}, 'editor')`;
      await request(team.owner);
      const [{ token }] =
        (await sql`select private.mail_token('credential change', id) as token from private.credential_changes where user_id = ${ada.id} and kind = 'factor_reset'`) as unknown as [
          { token: string },
        ];
      expect((await undo(new URLSearchParams({ token }), true)).status).toBe(200);
      expect(await factorCount(ada.id)).toBe(0);
    });
  });
});
