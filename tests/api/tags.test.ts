import { beforeEach, describe, expect, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { as } from "./support/client.ts";
import { newPost, newTeam, paragraph, type ShownPost, sql, type Team } from "./support/people.ts";
import { visit } from "./support/public.ts";

let team: Team;
let address: string;
beforeEach(async () => {
  team = await newTeam();
  address = `/api/workspaces/${team.workspaceId}/tags`;
});

const create = async (label: string, colour = "blue") =>
  as(tagEndpoints.create, await team.editor.api.post(address, { label, colour })).tag;
const list = async () => as(tagEndpoints.list, await team.viewer.api.get(address));
const of = (key: string) => `${address}?key=${encodeURIComponent(key)}`;
const change = (key: string, body: object) => team.editor.api.patch(of(key), body);
const tagsOf = async (id: string) => (await team.viewer.api.get<{ post: ShownPost }>(`/api/posts/${id}`)).body.post.tags;

test("a renamed tag is renamed in posts, which keep their version", async () => {
  await create("Beta", "red");
  const { id, version } = await newPost(team.editor, team.workspaceId, { tags: ["fix", "beta"] });
  expect(as(tagEndpoints.change, await change("beta", { label: "Preview" }))).toEqual({
    tag: { key: "preview", label: "Preview", colour: "red" },
    posts: 1,
  });
  const { post } = as(postEndpoints.read, await team.viewer.api.get(`/api/posts/${id}`));
  expect(post).toMatchObject({ tags: ["fix", "preview"], version });
  expect(await list()).toMatchObject({
    carried: [
      { key: "fix", posts: 1 },
      { key: "preview", posts: 1 },
    ],
    former: { beta: "preview" },
  });
  // Who had the post open saves as if nothing had happened.
  const saved = await team.admin.api.put<{ post: ShownPost }>(`/api/posts/${id}`, { title: "More", tags: ["beta", "docs"], version });
  expect(saved.body.post).toMatchObject({ title: "More", tags: ["preview", "docs"], version: version + 1 });
});

test("a recoloured tag keeps its name and its posts", async () => {
  await create("Beta");
  expect(as(tagEndpoints.change, await change("beta", { colour: "purple" }))).toEqual({
    tag: { key: "beta", label: "Beta", colour: "purple" },
    posts: 0,
  });
});

test("a name that is taken is refused at the field; merging is how two become one", async () => {
  await create("Beta");
  await create("Gamma", "green");
  const { id } = await newPost(team.editor, team.workspaceId, { tags: ["beta", "gamma"] });
  expect(await change("beta", { label: "gamma" })).toMatchObject({
    status: 422,
    body: { code: "validation_failed", fields: { label: "Another tag has this name. Merge the two, or choose another name." } },
  });
  expect(as(tagEndpoints.merge, await team.editor.api.post(`${address}/merge`, { key: "beta", into: "gamma" }))).toEqual({
    tag: { key: "gamma", label: "Gamma", colour: "green" },
    posts: 1,
  });
  expect(await tagsOf(id)).toEqual(["gamma"]);
  expect((await list()).tags.map(({ key }) => key)).not.toContain("beta");
});

test("two people who merge two tags into each other end with one of them", async () => {
  await create("Beta");
  await create("Gamma");
  const { id } = await newPost(team.editor, team.workspaceId, { tags: ["beta"] });
  const answers = await Promise.all([
    team.owner.api.post(`${address}/merge`, { key: "beta", into: "gamma" }),
    team.admin.api.post(`${address}/merge`, { key: "gamma", into: "beta" }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  const left = (await list()).tags.slice(4).map(({ key }) => key);
  expect(await tagsOf(id)).toEqual(left);
});

test("a deleted tag is in no post any more, nor on the public page", async () => {
  await create("Beta", "red");
  await newPost(team.editor, team.workspaceId, { tags: ["beta"], status: "published" });
  await team.owner.api.post("/api/public/changelog/toggle", { isPublic: true, workspaceId: team.workspaceId });
  const shows = async (word: string) => (await visit(team.subdomain, "/releases")).body.includes(word);
  expect(await shows("Beta")).toBe(true);
  await change("beta", { label: "Preview" });
  expect([await shows("Beta"), await shows("Preview")]).toEqual([false, true]);
  expect(as(tagEndpoints.remove, await team.editor.api.delete(of("preview")))).toEqual({ success: true, posts: 1 });
  expect(await shows("Preview")).toBe(false);
  expect((await team.editor.api.delete(of("preview"))).status).toBe(404);
});

test("where very many posts have a tag, all of them have the new one when the answer comes", async () => {
  await create("Beta");
  await sql`insert into public.posts (workspace_id, title, content_raw, tags)
    select ${team.workspaceId}, 'Post ' || n, ${paragraph("text") as never}, '{beta}' from generate_series(1, 650) as n`;
  expect(as(tagEndpoints.change, await change("beta", { label: "Gamma" })).posts).toBe(650);
  expect((await list()).carried).toEqual([{ key: "gamma", posts: 650 }]);
});

test("a key may hold any character", async () => {
  for (const key of ["..", "a/b", "50% & more?", "#1"]) {
    const { id } = await newPost(team.editor, team.workspaceId, { tags: [key] });
    expect((await team.editor.api.delete(of(key))).body).toEqual({ success: true, posts: 1 });
    expect(await tagsOf(id)).toEqual([]);
  }
});

describe("refuses at the field", () => {
  test.each([
    [{ label: " " }, "label"],
    [{ label: "x".repeat(41) }, "label"],
    [{ colour: "magenta" }, "colour"],
    [{}, "label"],
  ])("%j", async (body, field) => {
    await create("Beta");
    expect(await change("beta", body)).toMatchObject({ status: 422, body: { fields: { [field]: expect.any(String) as string } } });
  });

  test("no key, a default tag, a tag into itself", async () => {
    expect((await team.editor.api.patch(address, { label: "New" })).status).toBe(422);
    expect((await team.editor.api.delete(`${address}?key=`)).status).toBe(422);
    for (const answer of [await change("fix", { label: "Mended" }), await team.editor.api.delete(of("fix"))])
      expect(answer).toMatchObject({
        status: 422,
        body: { fields: { key: expect.stringContaining("Every workspace has this tag") as string } },
      });
    expect(await team.editor.api.post(`${address}/merge`, { key: "fix", into: "fix" })).toMatchObject({
      status: 422,
      body: { fields: { into: "Please choose another tag" } },
    });
  });
});

test("a list asked for by a tag has its posts alone, last edited first, page by page", async () => {
  for (const [title, tags, status] of [
    ["One", ["beta"], "draft"],
    ["Two", ["beta", "fix"], "published"],
    ["Three", ["fix"], "draft"],
    ["Four", ["beta"], "draft"],
  ] as const)
    await newPost(team.editor, team.workspaceId, { title, tags, status });
  const posts = async (query: string) => {
    const answer = as(postEndpoints.list, await team.viewer.api.get(`/api/workspaces/${team.workspaceId}/posts?${query}`));
    return { titles: answer.posts.map(({ title }) => title), ...answer.pagination };
  };
  expect(await posts("tag=beta&limit=2")).toEqual({ titles: ["Four", "Two"], page: 1, pages: 2, total: 3 });
  expect((await posts("tag=beta&limit=2&page=2")).titles).toEqual(["One"]);
  expect((await posts("tag=beta&status=draft")).titles).toEqual(["Four", "One"]);
  expect((await posts("tag=nothing")).titles).toEqual([]);
  expect((await team.viewer.api.get(`/api/workspaces/${team.workspaceId}/posts?tag=${"x".repeat(41)}`)).status).toBe(422);
});
