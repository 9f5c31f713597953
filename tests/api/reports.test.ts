import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Reports } from "#contract/reports.ts";
import { countViews } from "../support/counts.ts";
import { Client } from "./support/client.ts";
import { caughtMails } from "./support/mails.ts";
import { newPost, newReportRecipient, newTeam, type Person, sql, type Team } from "./support/people.ts";

let team: Team;
let path: string;
beforeAll(async () => {
  ({ team, path } = await reporting());
});

async function reporting(): Promise<{ team: Team; path: string }> {
  const team = await newTeam();
  await sql`insert into public.workspace_add_ons (workspace_id, add_on, granted_at) values (${team.workspaceId}, 'reports', '2026-01-01')`;
  return { team, path: `/api/workspaces/${team.workspaceId}/reports` };
}
const newAddress = () => `${randomUUID()}@named.example`;
const stateOf = async (email: string) =>
  (await sql`select state from private.report_recipients where email = ${email}`)[0]?.state as string;
const read = async (person: Person, at = path) => (await person.api.get<Reports>(at)).body;
const stranger = () => new Client(inject("stack").url);
async function active(): Promise<{ email: string; token: string }> {
  const email = newAddress();
  const id = await newReportRecipient(team.workspaceId, email);
  const [row] = await sql<{ token: string }[]>`update private.report_recipients set state = 'active' where id = ${id}
    returning private.mail_token('report', id) as token`;
  return { email, token: row!.token };
}

describe("sending last month's report to oneself", () => {
  test("has its numbers, without a list's headers", async () => {
    const { team, path } = await reporting();
    const post = await newPost(team.editor, team.workspaceId, { title: "Dark <b>mode</b>" });
    const { last_month } = await read(team.owner, path);
    await sql`update public.posts set status = 'published' where id = ${post.id}`;
    await sql`update public.posts set published_at = ${last_month} where id = ${post.id}`;
    await countViews(sql, team.workspaceId, post.id, 41, last_month);
    const answer = await team.admin.api.post(`${path}/preview`);
    expect([answer.status, answer.body]).toEqual([200, { sent: true, to: team.admin.email }]);
    const [mail, ...more] = await caughtMails(team.admin.email);
    expect(more).toEqual([]);
    expect(mail!.subject).toMatch(/^Acme in \w+ \d{4}: 1 post, 41 views$/);
    expect(mail!.text).toContain("Dark <b>mode</b>");
    expect(mail!.html).toContain("Dark &lt;b&gt;mode&lt;/b&gt;");
    expect(mail!.text).toContain("You requested this report just now.");
    expect(Object.keys(mail!.headers).map((name) => name.toLowerCase())).not.toContain("list-unsubscribe");
  });
});

describe("a report's link", () => {
  const forms: [string, () => { body?: BodyInit; headers?: Record<string, string> }][] = [
    ["a form", () => ({ body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) })],
    [
      "a form of parts",
      () => {
        const body = new FormData();
        body.set("List-Unsubscribe", "One-Click");
        return { body };
      },
    ],
    ["nothing", () => ({})],
    ["invalid JSON", () => ({ body: "{", headers: { "content-type": "application/json" } })],
  ];
  test.each(forms)("unsubscribes by one click that sends %s, without cookies, repeatedly", async (_, form) => {
    const { email, token } = await active();
    for (let click = 0; click < 2; click += 1) {
      const answer = await fetch(`${stranger().url}/api/reports/${token}`, { method: "POST", ...form() });
      expect([answer.status, await answer.json()]).toEqual([200, { success: true }]);
      expect(await stateOf(email)).toBe("stopped");
    }
  });

  test("changes nothing when opened by GET or HEAD", async () => {
    const { email, token } = await active();
    for (const method of ["GET", "HEAD"]) {
      for (const agent of ["Mozilla/5.0", "Mozilla/5.0 (compatible; Googlebot/2.1)", "Barracuda Sentinel"]) {
        for (const at of [`/api/reports/${token}`, `/api/reports/${token}?action=stop`, `/api/reports/${token}/recipient`]) {
          const answer = await fetch(stranger().url + at, {
            method,
            headers: { "user-agent": agent, accept: "text/html" },
            redirect: "manual",
          });
          expect([200, 302]).toContain(answer.status);
        }
      }
    }
    expect(await stateOf(email)).toBe("active");
  });

  test("of the header opens the page in a browser", async () => {
    const { token } = await active();
    const answer = await fetch(`${stranger().url}/api/reports/${token}`, { redirect: "manual" });
    expect([answer.status, new URL(answer.headers.get("location")!, stranger().url).pathname]).toEqual([302, `/reports/${token}`]);
  });

  test("resubscribes by its page, not by another site's", async () => {
    const { email, token } = await active();
    await stranger().post(`/api/reports/${token}`);
    const elsewhere = await stranger().post(`/api/reports/${token}?action=start`, undefined, {
      headers: { origin: "https://evil.example" },
    });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([403, "cross_origin"]);
    expect(await stateOf(email)).toBe("stopped");
    expect((await stranger().post(`/api/reports/${token}?action=start`)).status).toBe(200);
    expect(await stateOf(email)).toBe("active");
    expect((await stranger().post(`/api/reports/${token}?action=erase`)).status).toBe(422);
  });
});
