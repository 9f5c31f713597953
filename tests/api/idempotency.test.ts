import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { caughtMails } from "./support/mails.ts";
import { newPerson, newTeam, paragraph, type ShownPost, sql, type Team } from "./support/people.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

interface Made {
  invite: { id: string; token: string; url: string; email: string | null };
  mailed: boolean;
}

const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
const draft = (title: string) => ({ title, blocks: paragraph("Words."), workspace_id: team.workspaceId });
const countOf = async (title: string) => {
  const rows = await sql`select 1 from public.posts where workspace_id = ${team.workspaceId} and title = ${title}`;
  return rows.length;
};

describe("an Idempotency-Key", () => {
  test("makes one post of many requests, sequential and concurrent", async () => {
    const key = randomUUID();
    const create = () => team.editor.api.post<{ post: ShownPost }>("/api/posts", draft("Once"), withKey(key));
    const first = await create();
    const others = await Promise.all([create(), create(), create()]);
    for (const { status, body } of others) expect([status, body]).toEqual([201, first.body]);
    expect(await countOf("Once")).toBe(1);
    const together = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => team.editor.api.post<{ post: ShownPost }>("/api/posts", draft("Together"), withKey(together))),
    );
    expect(new Set(answers.map(({ body }) => body.post.id)).size).toBe(1);
  });

  test("sends one email, whose link stays valid", async () => {
    const guest = await newPerson("Gus Guest");
    const path = `/api/team/${team.workspaceId}/invites`;
    const create = () => team.owner.api.post<Made>(path, { role: "viewer", email: guest.email }, withKey("invite-2"));
    const [first, second, third] = [await create(), await create(), await create()];
    for (const { status, body } of [first, second, third]) {
      expect([status, body.mailed, body.invite.id, body.invite.email]).toEqual([201, true, first.body.invite.id, guest.email]);
    }
    const mails = await caughtMails(guest.email);
    const [link] = mails.flatMap(({ links }) => links.map((one) => new URL(one)));
    expect([mails.length, link!.pathname, link!.hash]).toEqual([1, "/join", `#for=${encodeURIComponent(guest.email)}`]);
    expect((await guest.api.post("/api/team/join", { token: link!.searchParams.get("token") })).status).toBe(200);
    const late = await newPerson();
    expect((await late.api.post("/api/team/join", { token: second.body.invite.token })).status).toBe(404);
  });

  test.each(["", "x".repeat(201), "a b", "é"])("can't be %j", async (key) => {
    const answer = await team.editor.api.post("/api/posts", draft("Bad key"), withKey(key === "é" ? "\u00e9" : key));
    expect(answer).toMatchObject({ status: 422, body: { fields: { idempotency_key: expect.any(String) as string } } });
  });
});
