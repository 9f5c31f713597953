import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { templateEndpoints } from "#contract/templates.ts";
import { as } from "./support/client.ts";
import { newPost, newTeam, paragraph, type ShownPost, type Team } from "./support/people.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});
const text = (words: string) => JSON.stringify(paragraph(words));
const input = (fields: Record<string, unknown> = {}) => ({
  ...{ name: `Release ${randomUUID()}`, title: "What is new", summary: "In short.", tags: ["fix"], content_raw: text("New this month:") },
  ...fields,
});
const blocksOf = (content: string) => (JSON.parse(content) as { blocks: { id?: string; data: { text: string } }[] }).blocks;

describe("templates", () => {
  test("are saved, listed by name, read, replaced and deleted", async () => {
    const own = await newTeam();
    const path = `/api/workspaces/${own.workspaceId}/templates`;
    const made = as(templateEndpoints.create, await own.editor.api.post(path, input({ name: " Weekly " }))).template;
    expect(made).toMatchObject({
      name: "Weekly",
      title: "What is new",
      summary: "In short.",
      tags: ["fix"],
      updated_by_name: "Edda Editor",
    });
    expect(blocksOf(made.content_raw)).toEqual([
      { id: expect.any(String) as string, type: "paragraph", data: { text: "New this month:" } },
    ]);
    await own.admin.api.post(path, input({ name: "Monthly" }));
    const { templates } = as(templateEndpoints.list, await own.viewer.api.get(path));
    expect(templates.map(({ name }) => name)).toEqual(["Monthly", "Weekly"]);
    expect(templates[0]).not.toHaveProperty("content_raw");

    expect(as(templateEndpoints.read, await own.viewer.api.get(`${path}/${made.id}`)).template).toEqual(made);
    const body = input({ name: "Fortnightly", summary: null, tags: [], content_raw: text("Other") });
    const changed = as(templateEndpoints.update, await own.owner.api.put(`${path}/${made.id}`, body)).template;
    expect(changed).toMatchObject({ id: made.id, name: "Fortnightly", summary: null, tags: [], updated_by_name: "Olive Owner" });
    expect(as(templateEndpoints.read, await own.viewer.api.get(`${path}/${made.id}`)).template).toEqual(changed);

    expect(await own.editor.api.send("DELETE", `${path}/${made.id}`)).toMatchObject({ status: 200, body: { success: true } });
    expect((await own.editor.api.get(`${path}/${made.id}`)).status).toBe(404);
    expect((await own.editor.api.send("DELETE", `${path}/${made.id}`)).status).toBe(404);
  });
});

describe("duplicating a post", () => {
  const duplicate = (id: string, key?: string) =>
    team.editor.api.send<{ post: ShownPost }>("POST", `/api/posts/${id}/duplicate`, key ? { headers: { "idempotency-key": key } } : {});

  test("makes a draft with its content", async () => {
    const source = await newPost(team.owner, team.workspaceId, {
      title: "Dark mode",
      status: "published",
      tags: ["fix"],
      summary: "In short.",
    });
    const { post } = as(templateEndpoints.duplicate, await duplicate(source.id));
    expect(post).toMatchObject({
      ...{ title: "Dark mode (copy)", status: "draft", tags: ["fix"], summary: "In short.", published_at: null, version: 1 },
      ...{ created_by: team.editor.id, content_md: "<p>First words.</p>" },
    });
    expect(post.slug).not.toBe(source.slug);
    expect(blocksOf(post.content_raw).every(({ id }) => id !== undefined)).toBe(true);
  });
});
