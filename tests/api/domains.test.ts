import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { Domain } from "#contract/domains.ts";
import { type DnsServer, startDns } from "../support/dns-server.ts";
import { v1DomainEndpoints } from "#contract/v1/domains.ts";
import { as, Client } from "./support/client.ts";
import { caughtMails } from "./support/mails.ts";
import { newKey, newTeam, type Person, sql, type Team } from "./support/people.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";

const stack = inject("stack");
const home = "tidings.example";
let dns: DnsServer;
let api: SecondFunction;
let team: Team;
let subdomain: string;
const door = { status: 200, known: "known" as string | null, asked: [] as string[] };
const server = http.createServer((request, response) => {
  door.asked.push(request.headers.host!);
  response.writeHead(door.status, door.known === null ? {} : { "x-host": door.known }).end("{}");
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  dns = await startDns();
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  api = await startFunction(stack, "api", {
    TIDINGS_PUBLIC_URL: `https://${home}`,
    TIDINGS_DNS_SERVER: dns.address,
    TIDINGS_DOMAINS_AT: at,
    TIDINGS_RATE_LIMIT_SCALE: "1000",
  });
  team = await withAddOn();
  subdomain = await subdomainOf(team);
}, 60_000);
afterAll(async () => {
  await api?.stop();
  dns?.stop();
  server.close();
});
beforeEach(() => {
  Object.assign(door, { status: 200, known: "known", asked: [] });
});

async function withAddOn(): Promise<Team> {
  const made = await newTeam();
  await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${made.workspaceId}, 'custom-domain') on conflict do nothing`;
  await sql`update public.workspaces set public_changelog_enabled = true where id = ${made.workspaceId}`;
  return made;
}
const subdomainOf = async ({ workspaceId }: Team) =>
  (await sql`select subdomain from public.workspaces where id = ${workspaceId}`)[0]!.subdomain as string;
const newHost = () => `changelog.${randomUUID()}.example`;
const pathOf = ({ workspaceId }: Team) => `/api/workspaces/${workspaceId}/domains`;
const via = ({ token }: Person) => new Client(api.url, token);
const add = (person: Person, host: unknown, to = team) => via(person).post<{ domain: Domain }>(pathOf(to), { host });
const list = async (person: Person, of = team) => (await via(person).get<{ domains: Domain[] }>(pathOf(of))).body.domains;

async function entered(to = team, host = newHost()): Promise<Domain> {
  await sql`delete from public.domains where workspace_id = ${to.workspaceId}`;
  const { status, body } = await add(to.owner, host, to);
  expect(status).toBe(201);
  return body.domain;
}
async function check(host: string, person = team.owner, of = team): Promise<Domain> {
  const answer = await via(person).post<{ domain: Domain }>(`${pathOf(of)}/${host}/check`, {});
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body.domain;
}
function makeRecords({ host, records }: Domain, { proof = records[0]!.value, cname = records[1]!.value } = {}): void {
  dns.records[`_tidings.${host}`] = { TXT: [proof] };
  dns.records[host] = { CNAME: [cname] };
}
const leadsTo = async (of = team) =>
  (await sql`select domain from private.find_workspace(${await subdomainOf(of)})`)[0]!.domain as string | null;
const workspaceAt = async (host: string) => (await sql`select private.workspace_of_host(${host}) as at`)[0]!.at as string | null;

describe("a workspace's own domain", () => {
  test("is added with the records it needs, and not served yet", async () => {
    const host = newHost();
    const domain = await entered(team, `https://${host.toUpperCase()}/releases`);
    expect(domain).toMatchObject({ host, shown: host, state: "dns", problem: null, checked_at: null, live_at: null, grace_until: null });
    expect(domain.records).toEqual([
      { type: "TXT", name: `_tidings.${host}`, value: expect.stringMatching(/^[0-9a-f]{32}$/), found: [], ok: false },
      { type: "CNAME", name: host, value: `${subdomain}.${home}`, found: [], ok: false },
    ]);
    expect([await leadsTo(), await workspaceAt(host)]).toEqual([null, null]);
    expect(await list(team.viewer)).toEqual([domain]);
    const { secret } = await newKey(team.owner, team.workspaceId, { scopes: ["posts:read"] });
    expect(as(v1DomainEndpoints.list, await new Client(api.url, secret).get("/api/v1/domains")).domains).toEqual([domain]);
  });

  test("becomes live by its records and first page, and readers are then redirected", async () => {
    const domain = await entered();
    expect((await check(domain.host)).problem).toMatch(/^There's no TXT record at _tidings\./);
    makeRecords(domain);
    const live = await check(domain.host);
    expect(live).toMatchObject({ state: "live", problem: null, live_at: expect.any(String) });
    expect(live.records.map(({ ok, found }) => [ok, found])).toEqual([
      [true, [domain.records[0]!.value]],
      [true, [`${subdomain}.${home}`]],
    ]);
    expect(door.asked).toEqual([domain.host]);
    expect([await leadsTo(), await workspaceAt(domain.host)]).toEqual([domain.host, subdomain]);
    await expect
      .poll(async () => (await caughtMails(team.owner.email)).map(({ subject }) => subject), { timeout: 20_000, interval: 200 })
      .toContain(`${domain.host} is live`);
  });

  test("gets its certificate before its first page, once its records are right", async () => {
    const domain = await entered();
    makeRecords(domain);
    door.status = 404;
    door.known = null;
    const pending = await check(domain.host);
    expect(pending.state).toBe("certificate");
    expect(pending.problem).toBe(`https://${domain.host} serves something other than this changelog.`);
    expect([await leadsTo(), await workspaceAt(domain.host)]).toEqual([null, subdomain]);
    door.status = 502;
    expect((await check(domain.host)).problem).toBe(`https://${domain.host} responds with an error (502).`);
  });

  test.each<[string, string, (domain: Domain) => void]>([
    ["another workspace's proof", "has a different value", (domain) => makeRecords(domain, { proof: "0".repeat(32) })],
    ["another machine", "points to elsewhere.example", (domain) => makeRecords(domain, { cname: "elsewhere.example" })],
    [
      "a proxy, or another address",
      "or to a proxy",
      (domain) => {
        makeRecords(domain);
        dns.records[domain.host] = { A: ["203.0.113.80"] };
      },
    ],
    [
      "nothing at a whole domain",
      "is a root domain",
      (domain) => {
        makeRecords(domain);
        dns.records[domain.host] = { NS: ["ns.elsewhere.example"] };
      },
    ],
    ["no answer of the DNS", "didn't answer", (domain) => (dns.records[`_tidings.${domain.host}`] = "no answer")],
  ])("with %s stays pending, with a sentence", async (_, sentence, make) => {
    const domain = await entered();
    door.known = "unknown";
    make(domain);
    expect(await check(domain.host)).toMatchObject({ state: "dns", problem: expect.stringContaining(sentence) });
    expect([await leadsTo(), await workspaceAt(domain.host)]).toEqual([null, null]);
  });
});

describe("a live domain", () => {
  async function live(): Promise<Domain> {
    const domain = await entered();
    makeRecords(domain);
    expect((await check(domain.host)).state).toBe("live");
    return domain;
  }

  test("without its proof is lost, though its CNAME still points here; readers are redirected for a week", async () => {
    const domain = await live();
    delete dns.records[`_tidings.${domain.host}`];
    const lost = await check(domain.host);
    expect(lost.state).toBe("lost");
    const days = (Date.parse(lost.grace_until!) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    expect([await leadsTo(), await workspaceAt(domain.host)]).toEqual([domain.host, subdomain]);
    const subjects = async () => (await caughtMails(team.owner.email)).map(({ subject }) => subject);
    await expect.poll(subjects, { timeout: 20_000, interval: 200 }).toContain(`${domain.host} no longer points to your changelog`);

    await sql`update public.domains set grace_until = now() - interval '1 second' where host = ${domain.host}`;
    expect([await leadsTo(), await workspaceAt(domain.host)]).toEqual([null, null]);
    makeRecords(domain);
    expect((await check(domain.host)).state).toBe("live");
    const kinds =
      await sql`select kind, actor_kind from private.audit_log where workspace_id = ${team.workspaceId} and subject = ${domain.host} order by id`;
    expect(kinds.map(({ kind, actor_kind }) => `${kind as string} ${actor_kind as string}`)).toEqual([
      ...["domain_added person", "domain_live system", "domain_lost system", "domain_live system"],
    ]);
  });

  test("is checked by the clock, once by concurrent ones", async () => {
    const domain = await live();
    const state = async () =>
      (
        await sql`select d.checked_at, d.problem, j.run_at from public.domains d join private.jobs j on j.id = d.id where d.host = ${domain.host}`
      )[0]!;
    const { checked_at: before } = await state();
    const isLookedAt = async () => (await state()).checked_at > before && (await state()).problem === null;
    // The stack's own worker may check it too, with a DNS that doesn't know it.
    for (let round = 0; round < 100 && !(await isLookedAt()); round += 1) {
      if (round % 10 === 0)
        await sql`update private.jobs j set run_at = now() from public.domains d where j.id = d.id and d.host = ${domain.host}`;
      dns.asked.length = 0;
      await Promise.all(Array.from({ length: 3 }, () => fetch(`${api.url}/api/jobs/run`, { method: "POST" })));
      await wait(100);
    }
    expect(await isLookedAt()).toBe(true);
    expect(((await state()).run_at as Date).getTime()).toBeGreaterThan(Date.now() + 20 * 3_600_000);
    expect(dns.asked.filter((question) => question === `TXT _tidings.${domain.host}`).length).toBeLessThanOrEqual(1);
  });
});

describe("one domain belongs to one workspace:", () => {
  test("unproven claims coexist, and the first to prove it gets it", async () => {
    const teams = await Promise.all(Array.from({ length: 3 }, withAddOn));
    const host = newHost();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => add(teams[index % 3]!.owner, host, teams[index % 3])));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const [squatter, owner, other] = teams.map((of, index) => ({ of, domain: answers[index]!.body.domain }));
    expect(new Set(teams.map((_, index) => answers[index]!.body.domain.records[0]!.value)).size).toBe(3);
    await expect(check(host, squatter!.of.owner, squatter!.of)).resolves.toMatchObject({ state: "dns" });
    makeRecords(owner!.domain);
    expect(await check(host, owner!.of.owner, owner!.of)).toMatchObject({ state: "live", problem: null });
    const taken = "Another workspace has proven this domain.";
    expect(await list(squatter!.of.owner, squatter!.of)).toMatchObject([{ host, state: "dns", problem: taken }]);
    dns.records[`_tidings.${host}`] = { TXT: [owner, other].map((one) => one!.domain.records[0]!.value) };
    expect(await check(host, other!.of.owner, other!.of)).toMatchObject({ state: "dns", problem: taken });
    expect(await leadsTo(owner!.of)).toBe(host);
    expect((await add(team.owner, host)).body).toMatchObject({ code: "domain_taken" });
    expect((await via(owner!.of.owner).delete(`${pathOf(owner!.of)}/${host}`)).status).toBe(200);
    expect(await check(host, other!.of.owner, other!.of)).toMatchObject({ state: "live", problem: null });
  });

  test.each([
    ["entered an hour ago", "created_at = now() - interval '1 hour'", 201],
    ["proven, its certificate on its way", "created_at = now() - interval '25 hours', state = 'certificate'", 409],
    ["live", "created_at = now() - interval '25 hours', state = 'live'", 409],
    ["lost, and in its grace", "state = 'lost', grace_until = now() + interval '1 hour'", 409],
    ["lost for good", "state = 'lost', grace_until = now() - interval '1 second'", 201],
  ])("a claim that is %s doesn't change another workspace's result", async (_, change, status) => {
    const { host, records } = await entered();
    await sql.unsafe(`update public.domains set ${change} where host = $1`, [host]);
    const other = await withAddOn();
    const answer = await add(other.owner, host, other);
    expect(answer.status).toBe(status);
    // An old proof doesn't prove the current owner.
    if (status === 201) {
      expect(answer.body.domain.records[0]!.value).not.toBe(records[0]!.value);
      makeRecords(answer.body.domain);
      expect((await check(host, other.owner, other)).state).toBe("live");
    } else expect(answer.body).toMatchObject({ fields: { host: "Another workspace already uses this domain." } });
  });

  test.each([
    ["a week ago, and whose grace may last", "7 days", 409],
    ["so long ago that it would be lost by now", "10 days", 201],
  ])("a live domain of a workspace without the add-on, last checked %s, is answered correctly", async (_, ago, status) => {
    const { host } = await entered(await withAddOn());
    await sql`update public.domains set state = 'live', created_at = now() - interval '1 year', checked_at = now() - ${ago}::interval where host = ${host}`;
    const other = await withAddOn();
    expect((await add(other.owner, host, other)).status).toBe(409);
    await sql`delete from public.workspace_add_ons a using public.domains d
      where d.host = ${host} and a.workspace_id = d.workspace_id and a.add_on = 'custom-domain'`;
    expect((await add(other.owner, host, other)).status).toBe(status);
  });

  test("a check that began before the domain changed hands changes nothing", async () => {
    const { host } = await entered();
    const [row] = await sql`select token from public.domains where host = ${host}`;
    const settle = (token: string, was: string) =>
      sql`select (public.settle_domain(${host}, ${token}, ${was}, ${sql.json({ state: "live", found: {}, after: 60 })})).state`;
    expect((await settle("0".repeat(32), "dns"))[0]!.state).toBeNull();
    expect((await settle(row!.token as string, "certificate"))[0]!.state).toBeNull();
    expect((await settle(row!.token as string, "dns"))[0]!.state).toBe("live");
  });
});
