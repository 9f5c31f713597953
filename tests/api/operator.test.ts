import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { pictures } from "./support/images.ts";
import { caughtMails } from "./support/mails.ts";
import { Client } from "./support/client.ts";
import { newKey, newPerson, newPost, newTeam, password, type Person, sql, type Team } from "./support/people.ts";
import { setPublic, suspend, sendForm } from "./support/public.ts";
import { mailingWorkspace, newReader } from "./support/readers.ts";

const { url } = inject("stack");

// the operator's responses: tests/faults/sign-up.test.ts
test("the overview is 404 to owners and 401 to strangers", async () => {
  const { owner } = await newTeam();
  const refused = await owner.api.get<{ code: string }>("/api/operator");
  expect([refused.status, refused.body.code]).toEqual([404, "not_found"]);
  expect((await new Client(url).get("/api/operator")).status).toBe(401);
});

test("the profile names the operator", async () => {
  const isOperator = async ({ api }: Person) =>
    (await api.get<{ profile: { is_operator: boolean } }>("/api/profiles/me")).body.profile.is_operator;
  expect(await isOperator((await newTeam()).owner)).toBe(false);
  await asOperator(async (operator) => expect(await isOperator(operator)).toBe(true));
});

async function asOperator(work: (operator: Person) => Promise<void>): Promise<void> {
  const operator = await newPerson("Otto Operator");
  await sql`insert into private.operators (user_id) values (${operator.id})`;
  try {
    await work(operator);
  } finally {
    await sql`delete from private.operators where user_id = ${operator.id}`;
  }
}

test("a sign-up link resent by the operator confirms the account, and is limited to one a minute", async () => {
  const [browser, email] = [new Client(url), `${randomUUID()}@example.com`];
  const account = { email, password, fullName: "Ann", companyName: "Nile" };
  expect((await browser.post("/api/auth/signup", account)).status).toBe(201);
  const [{ id }] = (await sql`select id from auth.users where email = ${email}`) as unknown as [{ id: string }];
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  await asOperator(async ({ api }) => {
    const send = () => api.post<{ code?: string }>(`/api/operator/people/${id}/sign-up-link`, {});
    expect((await send()).status).toBe(200);
    const again = await send();
    expect([again.status, again.body.code]).toEqual([429, "rate_limited"]);
    const mails = await caughtMails(email);
    expect(mails).toHaveLength(2);
    const token_hash = new URL(mails[0]!.links[0]!).searchParams.get("token_hash");
    expect((await browser.post("/api/auth/verify", { token_hash, type: "signup" })).status).toBe(200);
    expect((await send()).status).toBe(404);
  });
});

describe("a suspended workspace", () => {
  let team: Team;
  let post: { id: string };
  beforeAll(async () => {
    team = await newTeam();
    post = await newPost(team.editor, team.workspaceId);
    await suspend(team.workspaceId, true);
  });
  const codeOf = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    return [status, (body as { code?: string }).code];
  };

  test("can't be changed", async () => {
    const save = team.editor.api.put(`/api/posts/${post.id}`, { title: "Other", version: 1 });
    expect(await codeOf(save)).toEqual([403, "workspace_suspended"]);
  });

  test("can be read and exported", async () => {
    const reads = [
      team.viewer.api.get(`/api/posts/${post.id}`),
      team.viewer.api.get(`/api/dashboard/${team.workspaceId}/all`),
      team.owner.api.get(`/api/workspaces/${team.workspaceId}/export`),
    ];
    for (const answer of await Promise.all(reads)) expect(answer.status).toBe(200);
  });

  test("can be read by a key, but not written", async () => {
    await suspend(team.workspaceId, false);
    const { api } = await newKey(team.owner, team.workspaceId);
    await suspend(team.workspaceId, true);
    expect((await api.get("/api/v1/posts")).status).toBe(200);
    expect(await codeOf(api.post("/api/v1/posts", { title: "New", markdown: "New" }))).toEqual([403, "workspace_suspended"]);
    expect(await codeOf(api.upload("/api/v1/images", pictures.jpeg, "p.jpg", "image/jpeg"))).toEqual([403, "workspace_suspended"]);
  });

  test("lets readers unsubscribe, but not subscribe", async () => {
    const { id, subdomain } = await mailingWorkspace(team.owner);
    const { email, path } = await newReader(subdomain);
    await suspend(id, true);
    expect((await sendForm(subdomain, "/releases/subscribe", [["email", "new@reader.example"]])).status).toBe(410);
    await sendForm(subdomain, path, [["List-Unsubscribe", "One-Click"]]);
    expect(await sql`select status from public.subscribers where email = ${email}`).toEqual([{ status: "left" }]);
  });

  test("sends its members one email, with the message and a contact", async () => {
    const { workspaceId, owner, viewer } = await newTeam();
    await setPublic(workspaceId, true);
    await asOperator(async (operator) => {
      expect((await operator.api.post(`/api/operator/workspaces/${workspaceId}/suspension`, { message: "Please call us." })).status).toBe(
        200,
      );
      for (const { email } of [owner, viewer]) {
        await expect.poll(async () => (await caughtMails(email)).length, { timeout: 20_000, interval: 200 }).toBe(1);
        const [mail] = await caughtMails(email);
        expect(mail!.subject).toBe("Acme was suspended");
        for (const text of ["Please call us.", operator.email]) expect(mail!.text).toContain(text);
      }
      expect((await operator.api.delete(`/api/operator/workspaces/${workspaceId}/suspension`)).status).toBe(200);
    });
  });
});
