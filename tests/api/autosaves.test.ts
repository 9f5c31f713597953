import { beforeAll, expect, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import { as } from "./support/client.ts";
import { newTeam, paragraph, type ShownPost, type Team } from "./support/people.ts";

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
