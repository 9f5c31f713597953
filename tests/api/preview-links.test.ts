import { beforeAll, describe, expect, test } from "vitest";
import { type PreviewLink, previewLinkEndpoints } from "#contract/preview-links.ts";
import { isPreviewToken } from "#contract/rules/preview-token.ts";
import { as } from "./support/client.ts";
import { newKey, newPost, newPreviewLink, newTeam, type Person, sql, type Team } from "./support/people.ts";
import { setPublic } from "./support/public.ts";

const dayMs = 86_400_000;

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

const ask = (person: Person, postId: string, body: object = {}) =>
  person.api.post(`/api/posts/${postId}/preview-links`, body as Record<string, unknown>);
const list = async (person: Person, postId: string): Promise<PreviewLink[]> =>
  as(previewLinkEndpoints.list, await person.api.get(`/api/posts/${postId}/preview-links`)).links;
const revoke = (person: Person, postId: string, linkId: string) => person.api.delete(`/api/posts/${postId}/preview-links/${linkId}`);

describe("a preview link", () => {
  test("can be copied again by everyone who can make links, and no one else", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const { link, url, token } = await newPreviewLink(team.editor, id, { days: 30, allows_comments: true });
    expect(isPreviewToken(token)).toBe(true);
    expect(new URL(url).host.split(".")[0]).toBe(team.subdomain);
    expect(link).toMatchObject({ created_by_name: "Edda Editor", allows_comments: true });
    expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBeCloseTo(30 * dayMs, -4);
    for (const writer of [team.owner, team.admin, team.editor]) expect(await list(writer, id)).toEqual([link]);
    const stranger = (await newTeam()).owner;
    for (const [person, status] of [
      [team.viewer, 403],
      [stranger, 404],
    ] as const) {
      const refused = await person.api.get(`/api/posts/${id}/preview-links`);
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([status, expect.not.stringContaining(token)]);
    }
  });

  test("isn't listed once it ended, and is deleted by housekeeping", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const { link } = await newPreviewLink(team.editor, id);
    await sql`update private.post_previews set created_at = now() - interval '8 days', expires_at = now() - interval '1 second' where id = ${link.id}`;
    expect(await list(team.editor, id)).toEqual([]);
    expect((await revoke(team.editor, id, link.id)).status).toBe(404);
    await sql`select private.tidy_up()`;
    expect(await sql`select id from private.post_previews where id = ${link.id}`).toEqual([]);
  });

  test("can be ended by any writer, once, and only through its own post", async () => {
    const [one, other] = [await newPost(team.editor, team.workspaceId), await newPost(team.editor, team.workspaceId)];
    const { link } = await newPreviewLink(team.owner, one.id);
    expect((await revoke(team.editor, other.id, link.id)).status).toBe(404);
    expect((await revoke(team.viewer, one.id, link.id)).body.code).toBe("forbidden");
    expect((await revoke(team.editor, one.id, link.id)).status).toBe(200);
    expect((await revoke(team.editor, one.id, link.id)).status).toBe(404);
    expect(await list(team.editor, one.id)).toEqual([]);
  });
});

test("is in the audit log when created and ended", async () => {
  const own = await newTeam();
  const { id } = await newPost(own.editor, own.workspaceId, { title: "Top secret" });
  const { link } = await newPreviewLink(own.editor, id);
  await ask(own.editor, id, { days: 99 });
  await revoke(own.admin, id, link.id);
  await revoke(own.admin, id, link.id);
  const lines = await sql`select kind, actor_id, subject_id, subject from private.audit_log
    where workspace_id = ${own.workspaceId} and kind like 'preview%' order by id`;
  expect([...lines]).toEqual([
    { kind: "preview_link_made", actor_id: own.editor.id, subject_id: id, subject: "Top secret" },
    { kind: "preview_link_revoked", actor_id: own.admin.id, subject_id: id, subject: "Top secret" },
  ]);
});

describe("the API refuses a preview link with a sentence:", () => {
  test("for an archived post, or a public one, but not for one published in a closed changelog", async () => {
    const own = await newTeam();
    const { id } = await newPost(own.editor, own.workspaceId, { status: "published" });
    expect((await ask(own.editor, id)).status).toBe(201);
    await setPublic(own.workspaceId, true);
    const refused = await ask(own.editor, id);
    expect([refused.status, refused.body.fields]).toEqual([422, { post: "Readers can already see this post. Share its link instead." }]);
    await own.editor.api.delete(`/api/posts/${id}`);
    expect((await ask(own.editor, id)).body.code).toBe("archived_post_locked");
  });
  test("for a key, whatever its scopes", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const { api } = await newKey(team.owner, team.workspaceId);
    for (const answer of [await api.post(`/api/posts/${id}/preview-links`, {}), await api.get(`/api/posts/${id}/preview-links`)])
      expect(answer.status).toBe(401);
  });
  test("PostgREST refuses links not made by the function, and hides the table", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    await newPreviewLink(team.editor, id);
    for (const path of ["/rest/v1/post_previews", "/rest/v1/rpc/read_preview", "/rest/v1/rpc/preview_content"])
      expect([path, (await team.editor.api.get(path)).status >= 400]).toEqual([path, true]);
  });
});

describe("at the same time", () => {
  test("concurrent links above the limit: exactly the limit is made", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const people = [team.owner, team.admin, team.editor];
    const answers = await Promise.all(Array.from({ length: 20 + 6 }, (_, at) => ask(people[at % 3]!, id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => body.fields)).toEqual(refused.map(() => ({ days: `This post has 20 links. Revoke one first.` })));
    expect(await list(team.editor, id)).toHaveLength(20);
  });
  test("a link made while its maker is removed never outlives the membership", async () => {
    for (let round = 0; round < 8; round++) {
      const own = await newTeam();
      const { id } = await newPost(own.editor, own.workspaceId);
      await Promise.all([
        ...Array.from({ length: 4 }, () => ask(own.editor, id)),
        own.owner.api.delete(`/api/team/${own.workspaceId}/members/${own.editor.id}`),
      ]);
      expect([round, await list(own.owner, id)]).toEqual([round, []]);
    }
  });
});
