import { beforeAll, describe, expect, inject, test } from "vitest";
import { auditLine, type AuditLine } from "#contract/audit.ts";
import { fromCell, parseCsv } from "#contract/csv.ts";
import { newPost, newTeam, type Person, sql, type Team } from "./support/people.ts";

const { url } = inject("stack");
const here = "127.0.0.0/24";

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

describe("an audit log entry", () => {
  test("has the actor, action, time and network, and ignores what the client claims", async () => {
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
});

describe("the audit log's file", () => {
  test("in CSV has every entry, escaped for spreadsheets, and the export is an entry itself", async () => {
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
    expect(new Set(records.map((cells) => cells.slice(8).join()))).toEqual(new Set([","]));
    expect(records.map(([, what, kind, actor, , network, subject]) => [what, kind, actor, network, fromCell(subject!)])).toEqual([
      ["post_published", "person", "Edda Editor", here, formula],
    ]);
    expect(file).toContain("'=HYPERLINK");
    const [line] = (await read("?kind=exports")).lines;
    expect(line).toMatchObject({
      kind: "audit_exported",
      actor: { id: team.owner.id },
      details: { filter: { kinds: ["post_published"] } },
    });
  });

  test("in JSON lines has every entry of several pages once, in the contract's shape", async () => {
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
