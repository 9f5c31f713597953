import { beforeAll, describe, expect, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import { as } from "./support/client.ts";
import { newPost, newTeam, newWorkspace, type ShownPost, sql, type Team } from "./support/people.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

const save = (id: string, fields: Record<string, unknown>) => team.editor.api.put<{ post: ShownPost }>(`/api/posts/${id}`, fields);
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

describe("a post's status", () => {
  test("changes by scheduling, unscheduling, publishing", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const publish_at = tomorrow();
    expect((await save(id, { publish_at })).body.post).toMatchObject({ status: "scheduled", publish_at });
    expect((await save(id, { publish_at: null })).body.post).toMatchObject({ status: "draft", publish_at: null });
    expect((await save(id, { status: "published" })).body.post).toMatchObject({ status: "published", publish_at: null });
  });

  test("changes by archiving, which removes it from lists, and purging, which deletes it", async () => {
    const workspace = await newWorkspace(team.owner);
    const { id } = await newPost(team.owner, workspace.id);
    const archived = as(postEndpoints.remove, await team.owner.api.delete(`/api/posts/${id}`));
    expect(archived.post).toMatchObject({ id, status: "archived", archived_at: expect.stringMatching(/Z$/) as string });
    const list = async (query: string) => as(postEndpoints.list, await team.owner.api.get(`/api/workspaces/${workspace.id}/posts${query}`));
    expect((await list("")).posts).toEqual([]);
    expect((await list("?status=archived")).posts.map((post) => post.id)).toEqual([id]);
    const refused = await team.owner.api.put(`/api/posts/${id}`, { title: "Changed" });
    expect([refused.status, refused.body.code]).toEqual([409, "archived_post_locked"]);
    expect(as(postEndpoints.remove, await team.owner.api.delete(`/api/posts/${id}?purge=true`))).toEqual({ success: true, post: null });
    expect((await team.owner.api.get(`/api/posts/${id}`)).status).toBe(404);
    expect(await sql`select 1 from public.post_revisions where post_id = ${id}`).toHaveLength(0);
  });
});

describe("versions", () => {
  test("of a stale save cause a conflict that names the other author, and change nothing", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    await team.admin.api.put(`/api/posts/${id}`, { title: "By the admin", version: 1 });
    const answer = await save(id, { title: "By the editor", version: 1 });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "version_conflict", error: "Post updated elsewhere", conflict: { version: 2, updated_by_name: "Adam Admin" } },
    });
    expect((await team.editor.api.get<{ post: ShownPost }>(`/api/posts/${id}`)).body.post.title).toBe("By the admin");
  });

  test("can be compared with the current one", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const check = async (version: unknown) => (await team.viewer.api.get(`/api/posts/${id}/version?version=${version}`)).body;
    expect(await check(1)).toEqual({ isCurrent: true });
    await save(id, { title: "Second" });
    expect(await check(1)).toEqual({ isCurrent: false });
    expect(await check(2)).toEqual({ isCurrent: true });
    expect(await check("two")).toMatchObject({ code: "validation_failed", fields: { version: expect.any(String) as string } });
  });
});

describe("undoing an archiving", () => {
  const archive = async (id: string) => as(postEndpoints.remove, await team.editor.api.delete(`/api/posts/${id}`)).post!.version;
  const undo = (id: string, version: number) => team.editor.api.post<{ post: ShownPost }>(`/api/posts/${id}/restore`, { version });
  const later = new Date(Date.now() + 3 * 86_400_000).toISOString();

  test.each([{ status: "draft" }, { status: "published" }, { publish_at: later }])("restores the post's state: %j", async (fields) => {
    const before = await newPost(team.editor, team.workspaceId, fields);
    const version = await archive(before.id);
    const { post } = as(postEndpoints.restore, await undo(before.id, version));
    const { status, publish_at, published_at, slug } = before;
    expect(post).toMatchObject({ status, publish_at, published_at, slug, archived_at: null, version: version + 1 });
    const lines = await sql`select kind from public.activities where post_id = ${before.id} order by id desc limit 2`;
    expect(lines.map(({ kind }) => kind)).toEqual(["post_restored", "post_archived"]);
  });
});
