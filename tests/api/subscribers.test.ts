import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { readersOf } from "#contract/subscriber-csv.ts";
import { Client } from "./support/client.ts";
import { caughtMails } from "./support/mails.ts";
import { newPerson, newPost, newTeam, type Person, signedInBrowser, sql, type Team } from "./support/people.ts";
import { openWorkspace, setPublic } from "./support/public.ts";

let team: Team;
let path: string;
beforeAll(async () => {
  team = await newTeam();
  await setPublic(team.workspaceId, true);
  path = `/api/workspaces/${team.workspaceId}/subscribers`;
});

const newAddress = () => `${randomUUID()}@reader.example`;
const waiting = { timeout: 20_000, interval: 200 };
const rowOf = async (email: string, workspaceId = team.workspaceId) =>
  (await sql`select status, frequency, tags, consent from public.subscribers where email = ${email} and workspace_id = ${workspaceId}`)[0];

async function place(): Promise<{ owner: Person; id: string; subdomain: string; path: string }> {
  const owner = await newPerson("Olive Owner");
  const { id, subdomain } = await openWorkspace(owner);
  return { owner, id, subdomain, path: `/api/workspaces/${id}/subscribers` };
}

describe("an imported list", () => {
  const bring = (client: Client, readers: object[], more: object = {}, to = path) => client.post(`${to}/import`, { readers, ...more });

  test("emails each reader for confirmation; invalid addresses are reported by line, duplicates skipped", async () => {
    const [one, two] = [newAddress(), newAddress()];
    const readers = [{ email: one, frequency: "daily" }, { email: "nobody" }, { email: two, tags: ["docs"] }, { email: one.toUpperCase() }];
    const looked = await bring(team.owner.api, readers, { trial: true });
    expect([looked.status, looked.body]).toEqual([200, { added: 2, known: 0, refused: 0, invalid: [1] }]);
    expect(await rowOf(one)).toBeUndefined();
    expect((await bring(team.owner.api, readers)).body).toEqual({ added: 2, known: 0, refused: 0, invalid: [1] });
    expect((await bring(team.admin.api, readers, { declared: true })).body).toEqual({ added: 0, known: 2, refused: 0, invalid: [1] });
    expect(await rowOf(one)).toMatchObject({ status: "pending", frequency: "daily", tags: null, consent: { by: "import" } });
    expect(await rowOf(two)).toMatchObject({ status: "pending", tags: ["docs"] });
    await expect.poll(async () => (await caughtMails(two)).length, waiting).toBe(1);
  });
});

describe("the subscriber export", () => {
  test("is a CSV file of all or filtered subscribers that can be imported again", async () => {
    const { owner, id, subdomain, path } = await place();
    await sql`insert into public.subscribers (workspace_id, email, status, frequency, tags, confirmed_at) values
      (${id}, '=cmd@acme.example', 'active', 'daily', '{=fix,docs}', now()), (${id}, '+a@acme.example', 'active', 'instant', '{}', now()),
      (${id}, 'left@acme.example', 'left', 'instant', null, now())`;
    for (const client of [owner.api, await signedInBrowser(owner)]) {
      const { status, headers, body } = await client.get(`${path}/export`);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
      expect(headers.get("content-disposition")).toBe(
        `attachment; filename="subscribers-${subdomain}-${new Date().toISOString().slice(0, 10)}.csv"`,
      );
      expect(headers.get("cache-control")).toBe("no-store");
      const file = body as unknown as string;
      expect(file.split("\r\n").map((line) => line.split(",").slice(0, 4).join(","))).toEqual([
        "email,status,frequency,tags",
        "'+a@acme.example,active,instant,(none)",
        "'=cmd@acme.example,active,daily,'=fix docs",
        "left@acme.example,left,instant,",
        "",
      ]);
      expect(readersOf(file)).toMatchObject({ readers: [{ email: "+a@acme.example", tags: [] }, { email: "=cmd@acme.example" }] });
    }
    const narrowed = (await owner.api.get(`${path}/export?status=left`)).body as unknown as string;
    expect(narrowed.split("\r\n")).toHaveLength(3);
    expect((await owner.api.get(`${path}/export?status=none`)).status).toBe(422);
  });

  test("of 50,000 is complete, each reader once", async () => {
    const { owner, id, path } = await place();
    await sql`insert into public.subscribers (workspace_id, email, status, confirmed_at)
      select ${id}, 'reader' || n || '@acme.example', 'active', now() from generate_series(1, 50000) as n`;
    const file = (await owner.api.get(`${path}/export`)).body as unknown as string;
    const lines = file.trimEnd().split("\r\n").slice(1);
    expect([lines.length, new Set(lines.map((line) => line.split(",")[0])).size]).toEqual([50_000, 50_000]);
    expect((await owner.api.get<{ pagination: object }>(`${path}?page=1000`)).body.pagination).toEqual({
      page: 1000,
      pages: 1000,
      total: 50_000,
    });
    await sql`delete from public.workspaces where id = ${id}`;
  });
});

describe("the DNS check for emails", () => {
  const checkPath = () => `/api/workspaces/${team.workspaceId}/mail-check`;

  test("reports a missing DNS", async () => {
    const { status, body } = await team.owner.api.get<{ domain: string; records: { kind: string; state: string }[] }>(checkPath());
    expect([status, body.domain]).toEqual([200, "localhost"]);
    expect(body.records.map(({ kind, state }) => [kind, state])).toEqual([
      ["SPF", "unknown"],
      ["DKIM", "unknown"],
      ["DMARC", "unknown"],
    ]);
  });

  test("sends the newest posts as a digest to the requesting user only, within a rate limit", async () => {
    await team.admin.api.post(checkPath());
    await newPost(team.owner, team.workspaceId, { title: "Dark mode", status: "published" });
    const answer = await team.admin.api.post(checkPath());
    expect([answer.status, answer.body]).toEqual([200, { sent: true, to: team.admin.email }]);
    expect((await caughtMails(team.admin.email)).map(({ subject }) => subject)).toEqual(["[Test] Dark mode · Acme", "[Test] Digest"]);
    const [counted] = await sql`select count(*)::int as people from private.rate_limits
      where bucket = 'testMail.person' and key = sha256(convert_to(${team.admin.id}, 'UTF8'))`;
    expect(counted!.people).toBe(1);
  });
});
