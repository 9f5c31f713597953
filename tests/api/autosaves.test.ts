import { randomUUID } from "node:crypto";
import { beforeAll, expect, inject, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import { as, Client } from "./support/client.ts";
import { newPerson, newTeam, paragraph, type ShownPost, type Team } from "./support/people.ts";

const { url } = inject("stack");
let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

const create = (fields: Record<string, unknown> = {}) =>
  team.editor.api.post<{ post: ShownPost }>("/api/posts", {
    title: "Hello",
    blocks: paragraph("Words."),
    workspace_id: team.workspaceId,
    ...fields,
  });
const save = (id: string, fields: Record<string, unknown>) => team.editor.api.put<{ post: ShownPost }>(`/api/posts/${id}`, fields);
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

const history = async (id: string) =>
  (await team.viewer.api.get<{ revisions: { version: number }[] }>(`/api/posts/${id}/revisions`)).body.revisions.map(
    ({ version }) => version,
  );

test("a draft that saves itself is kept as it stands, without a title or text; a save by hand asks for both", async () => {
  const { post } = as(postEndpoints.create, await create({ title: "", blocks: [], autosave: true }));
  expect(post).toMatchObject({ title: "", status: "draft", version: 1, updated_by_name: "Edda Editor" });
  const content_raw = JSON.stringify({ blocks: [] });
  expect((await save(post.id, { title: "Only a title", content_raw, version: 1, autosave: true })).body.post).toMatchObject({
    version: 2,
  });
  for (const [fields, expected] of [
    [{ title: " ", version: 2 }, { title: "Title is required" }],
    [{ title: "Hello", content_raw, version: 2 }, { content_raw: "Content is required" }],
    [{ status: "published", version: 2 }, { content_raw: "Content is required" }],
  ] as const)
    expect(await save(post.id, fields)).toMatchObject({ status: 422, body: { fields: expected } });
});

test("a draft that saves itself counts its versions and fills no history; what is saved by hand stays in it", async () => {
  const { post } = (await create({ autosave: true })).body;
  for (const version of [1, 2, 3]) await save(post.id, { title: `Title ${version}`, version, autosave: true });
  expect(await history(post.id)).toEqual([4, 1]);
  await save(post.id, { title: "Title 3", version: 4 });
  expect((await save(post.id, { title: "Title 5", version: 4, autosave: true })).body.post.version).toBe(5);
  expect(await history(post.id)).toEqual([5, 4, 1]);
});

test("a draft that saves itself meets a newer version like any save", async () => {
  const { post } = (await create()).body;
  await team.admin.api.put(`/api/posts/${post.id}`, { title: "Theirs", version: 1 });
  const answer = await save(post.id, { title: "Mine", version: 1, autosave: true });
  expect(answer).toMatchObject({
    status: 409,
    body: { code: "version_conflict", conflict: { version: 2, updated_by_name: "Adam Admin" } },
  });
});

test("a draft that saves itself is nothing for a post that is published or scheduled, and decides nothing", async () => {
  const refusal = { status: 422, body: { fields: { autosave: "Only a draft saves itself" } } };
  const published = (await create({ status: "published" })).body.post;
  expect(await save(published.id, { title: "Mine", version: 1, autosave: true })).toMatchObject(refusal);
  const draft = (await create()).body.post;
  expect(await save(draft.id, { status: "published", version: 1, autosave: true })).toMatchObject(refusal);
  expect(await create({ status: "published", autosave: true })).toMatchObject(refusal);
  expect(await create({ publish_at: tomorrow(), autosave: true })).toMatchObject(refusal);
});

test("a draft that saves itself is done once, however often it is sent", async () => {
  const options = { headers: { "idempotency-key": randomUUID() } };
  const body = { title: "", blocks: paragraph("Once."), workspace_id: team.workspaceId, autosave: true };
  const send = () => team.editor.api.post<{ post: ShownPost }>("/api/posts", body, options);
  expect((await send()).body.post.id).toBe((await send()).body.post.id);
});

test("a draft that saves itself needs a writer of this workspace", async () => {
  const { post } = (await create()).body;
  const fields = { title: "Mine", version: 1, autosave: true };
  expect((await team.viewer.api.put(`/api/posts/${post.id}`, fields)).status).toBe(403);
  expect((await (await newPerson()).api.put(`/api/posts/${post.id}`, fields)).status).toBe(404);
  expect((await new Client(url).put(`/api/posts/${post.id}`, fields)).status).toBe(401);
  expect((await save(post.id, { ...fields, autosave: "yes" })).status).toBe(422);
});
