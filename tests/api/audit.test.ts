import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { auditLine, type AuditLine } from "#contract/audit.ts";
import { fromCell, parseCsv } from "#contract/csv.ts";
import { newPerson, newPost, newTeam, type Person, signedInBrowser, sql, type Team } from "./support/people.ts";

const { url, publishableKey } = inject("stack");
const here = "127.0.0.0/24"; // where this test calls from, as the log keeps it

let team: Team;
let path: string;
beforeAll(async () => {
  team = await newTeam();
  path = `/api/workspaces/${team.workspaceId}/audit`;
});

interface Page {
  lines: AuditLine[];
  next: number | null;
  actors: AuditLine["actor"][];
}
const read = async (query = "", person: Person = team.owner): Promise<Page> => {
  const { status, body } = await person.api.get<Page>(`${path}${query}`);
  expect(status).toBe(200);
  return body;
};
const rename = (person: Person, name: string) => person.api.patch(`/api/workspaces/${team.workspaceId}`, { name });

describe("a line", () => {
  test("says who, what, when and from which network; a client's own word about it counts for nothing", async () => {
    const headers = { "x-forwarded-for": "203.0.113.77", "x-tidings-network": "203.0.113.0/24" };
    const saved = await team.admin.api.send("PATCH", `/api/workspaces/${team.workspaceId}`, { body: { name: "Acme Two" }, headers });
    expect(saved.status).toBe(200);
    const [line] = (await read("?kind=workspace_changed")).lines;
    expect(line).toEqual({
      id: expect.any(Number),
      happened_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      kind: "workspace_changed",
      actor: { kind: "person", id: team.admin.id, name: "Adam Admin", person: null },
      network: here,
      subject: "Acme Two",
      details: { name: ["Acme", "Acme Two"] },
    });
  });

  test("of a change past /api has no network, whatever its headers claim, also one that /api has sealed for somebody else", async () => {
    const change = (name: string, sealed: string, token = team.owner.token) =>
      fetch(`${url}/rest/v1/workspaces?id=eq.${team.workspaceId}`, {
        method: "PATCH",
        headers: {
          apikey: publishableKey,
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "x-tidings-network": sealed,
        },
        body: JSON.stringify({ name }),
      });
    for (const sealed of ["203.0.113.0/24", `203.0.113.0/24 ${Math.floor(Date.now() / 1_000)} ${"0".repeat(64)}`]) {
      const name = `Acme ${randomUUID().slice(0, 8)}`;
      expect((await change(name, sealed)).status).toBeLessThan(300);
      const [line] = (await read("?kind=workspace_changed")).lines;
      expect([line!.subject, line!.network, line!.actor.id]).toEqual([name, null, team.owner.id]);
    }
  });

  test("is written of each sign-in, with the network it came from", async () => {
    const before = (await read("?kind=access")).lines.length;
    await signedInBrowser(team.editor);
    await signedInBrowser(team.editor);
    const { lines } = await read("?kind=access");
    expect(lines.length).toBe(before + 2);
    for (const line of lines.slice(0, 2)) {
      expect(line).toMatchObject({ kind: "signed_in", network: here, actor: { id: team.editor.id }, details: {} });
    }
  });

  test("is written of publishing and of files that leave", async () => {
    const { id } = await newPost(team.editor, team.workspaceId, { title: "Loud", status: "published" });
    await team.owner.api.get(`/api/workspaces/${team.workspaceId}/export`);
    await team.admin.api.get(`/api/workspaces/${team.workspaceId}/subscribers/export?status=active`);
    await team.editor.api.delete(`/api/posts/${id}`);
    const { lines } = await read();
    expect(lines.slice(0, 4).map(({ kind, actor, subject, network }) => [kind, actor.name, subject, network])).toEqual([
      ["post_archived", "Edda Editor", "Loud", here],
      ["subscribers_exported", "Adam Admin", null, here],
      ["workspace_exported", "Olive Owner", null, here],
      ["post_published", "Edda Editor", "Loud", here],
    ]);
  });

  test("is written of a key's life, from its own network when it is first used", async () => {
    const keys = `/api/workspaces/${team.workspaceId}/keys`;
    const made = await team.admin.api.post<{ key: { id: string }; secret: string }>(keys, { name: "CI", scopes: ["posts:read"] });
    const { key, secret } = made.body;
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await fetch(`${url}/api/v1/key`, {
        headers: { authorization: `Bearer ${secret}`, "x-forwarded-for": "203.0.113.77" },
      });
      expect(answer.status).toBe(200);
    }
    await team.admin.api.post(`${keys}/${key.id}/rotate`);
    await team.owner.api.delete(`${keys}/${key.id}`);
    const { lines } = await read("?kind=keys");
    expect(lines.map(({ kind, actor, subject, network }) => [kind, actor.kind, actor.name, subject, network])).toEqual([
      ["key_revoked", "person", "Olive Owner", "CI", here],
      ["key_rotated", "person", "Adam Admin", "CI", here],
      ["key_used", "key", "CI", "CI", here],
      ["key_made", "person", "Adam Admin", "CI", here],
    ]);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  test("is not written of what was refused", async () => {
    const newest = (await read()).lines[0]!.id;
    expect((await rename(team.viewer, "Nobody's")).status).toBe(403);
    expect((await team.editor.api.get(`/api/workspaces/${team.workspaceId}/export`)).status).toBe(403);
    expect((await team.editor.api.get(`${path}/export`)).status).toBe(403);
    expect((await read()).lines[0]!.id).toBe(newest);
  });
});

describe("who reads it", () => {
  test("owner and admin; to others it is forbidden, to strangers it is not there", async () => {
    for (const address of [path, `${path}/export`]) {
      for (const person of [team.editor, team.viewer]) expect((await person.api.get(address)).body.code).toBe("forbidden");
      const stranger = await newPerson();
      expect((await stranger.api.get(address)).body.code).toBe("not_found");
    }
    expect((await read("", team.admin)).lines.length).toBeGreaterThan(0);
  });

  test.each([
    "?actor=nobody",
    "?kind=everything",
    "?from=yesterday",
    "?until=2026-13-01T00:00:00Z",
    "?before=0",
    "?before=x",
    "?before=1e300",
  ])("%s is refused at the field", async (query) => {
    const { status, body } = await team.owner.api.get(path + query);
    expect([status, body.code, Object.keys(body.fields ?? {})]).toEqual([422, "validation_failed", [query.slice(1, query.indexOf("="))]]);
  });
});

describe("the page", () => {
  test("goes on where it stopped, and says once who there is", async () => {
    const first = await read();
    expect(first.actors.map(({ name }) => name)).toEqual(expect.arrayContaining(["Adam Admin", "Edda Editor", "Olive Owner"]));
    const rest = await read(`?before=${first.lines[2]!.id}`);
    expect(rest.lines[0]!.id).toBe(first.lines[3]!.id);
    expect([rest.next, rest.actors]).toEqual([null, []]);
  });

  test("narrows by actor, kind or group, and time", async () => {
    const ofEditor = (await read(`?actor=${team.editor.id}&kind=posts`)).lines;
    expect(new Set(ofEditor.map(({ kind }) => kind))).toEqual(new Set(["post_published", "post_archived"]));
    expect((await read("?actor=system&kind=member_joined")).lines.length).toBe(3); // made by the test, not by a person
    expect((await read("?until=2020-01-01T00:00:00Z")).lines).toEqual([]);
    expect((await read("?from=2020-01-01T00:00:00%2B02:00")).lines.length).toBeGreaterThan(5);
  });
});

describe("the file", () => {
  test("as CSV: every line, harmless for spreadsheets; the export is a line itself", async () => {
    const formula = '=HYPERLINK("http://evil.example","x")';
    await newPost(team.editor, team.workspaceId, { title: formula, status: "published" });
    const answer = await team.owner.api.get<string>(`${path}/export?kind=post_published&format=csv`);
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
      200,
      "text/csv; charset=utf-8",
      `attachment; filename="audit-${team.subdomain}-${new Date().toISOString().slice(0, 10)}.csv"`,
    ]);
    const file = answer.body as unknown as string;
    const [head, ...records] = [...parseCsv(file)].map(({ cells }) => cells);
    expect(head).toEqual(["time", "what", "actor_kind", "actor", "actor_id", "network", "subject", "details", "person", "person_id"]);
    expect(new Set(records.map((cells) => cells.slice(8).join()))).toEqual(new Set([","])); // no assistant did it
    expect(records.map(([, what, kind, actor, , network, subject]) => [what, kind, actor, network, fromCell(subject!)])).toEqual([
      ["post_published", "person", "Edda Editor", here, formula],
      ["post_published", "person", "Edda Editor", here, "Loud"],
    ]);
    expect(file).toContain("'=HYPERLINK");
    const [line] = (await read("?kind=exports")).lines;
    expect(line).toMatchObject({
      kind: "audit_exported",
      actor: { id: team.owner.id },
      details: { filter: { kinds: ["post_published"] } },
    });
  });

  test("as JSON lines, more than one piece long, each line of the contract, none twice", async () => {
    await sql`insert into private.audit_log (workspace_id, kind, actor_kind, subject)
      select ${team.workspaceId}, 'post_purged', 'system', 'Post ' || n from generate_series(1, 2500) as n`;
    const answer = await fetch(`${url}${path}/export?format=jsonl&kind=post_purged`, {
      headers: { authorization: `Bearer ${team.admin.token}` },
    });
    expect(answer.headers.get("content-type")).toBe("application/jsonl");
    const lines = (await answer.text())
      .trimEnd()
      .split("\n")
      .map((line) => auditLine.parse(JSON.parse(line)));
    expect(lines).toHaveLength(2_500);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(2_500);
    expect(lines[0]!.subject).toBe("Post 2500");
    expect((await read("?kind=audit_exported")).lines.filter(({ actor }) => actor.id === team.admin.id)).toHaveLength(1);
  });
});
