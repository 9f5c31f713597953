import { beforeEach, expect, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { as } from "./support/client.ts";
import { newPost, newTeam, type ShownPost, type Team } from "./support/people.ts";

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
