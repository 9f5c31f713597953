import { beforeAll, describe, expect, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import { as } from "./support/client.ts";
import { newPerson, newPost, newTeam, newWorkspace, paragraph, type Team } from "./support/people.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

describe("lists", () => {
  test("come in pages, last edited first", async () => {
    const workspace = await newWorkspace(team.owner);
    for (let number = 1; number <= 12; number++)
      await newPost(team.owner, workspace.id, { title: `Post ${number}`, status: number > 10 ? "published" : "draft" });
    const list = async (query: string) => as(postEndpoints.list, await team.owner.api.get(`/api/workspaces/${workspace.id}/posts${query}`));
    const first = await list("");
    expect(first.pagination).toEqual({ page: 1, pages: 2, total: 12 });
    expect(first.posts.map(({ title }) => title)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((number) => `Post ${number}`));
    expect((await list("?page=2&limit=5")).posts.map(({ title }) => title)).toEqual([7, 6, 5, 4, 3].map((number) => `Post ${number}`));
    expect(await list("?page=9&limit=5")).toEqual({ posts: [], pagination: { page: 9, pages: 3, total: 12 } });
    expect((await list("?status=published")).pagination.total).toBe(2);
    expect(first.posts[0]).not.toHaveProperty("content_raw");
  });

  test("give some posts by their ids, whatever their status", async () => {
    const workspace = await newWorkspace(team.owner);
    const first = await newPost(team.owner, workspace.id, { title: "First" });
    await newPost(team.owner, workspace.id, { title: "Second" });
    const elsewhere = await newPost(team.owner, team.workspaceId);
    await team.owner.api.delete(`/api/posts/${first.id}`);
    const asked = `/api/workspaces/${workspace.id}/posts?ids=${first.id},${elsewhere.id}`;
    const { posts, pagination } = as(postEndpoints.list, await team.owner.api.get(asked));
    expect(posts).toMatchObject([{ id: first.id, title: "First", status: "archived" }]);
    expect(pagination).toEqual({ page: 1, pages: 1, total: 1 });
    expect((await team.viewer.api.get(asked)).status).toBe(404);
    expect((await team.owner.api.get(asked.replace(elsewhere.id, "x"))).status).toBe(422);
  });

  test.each(["page=0", "page=-1", "page=x", "limit=0", "limit=101", "limit=1.5", "status=secret"])("refuse %s", async (query) => {
    const answer = await team.owner.api.get(`/api/workspaces/${team.workspaceId}/posts?${query}`);
    expect(answer).toMatchObject({ status: 422, body: { fields: { [query.split("=")[0]!]: expect.any(String) as string } } });
  });
});

describe("the list as the posts table asks for it", () => {
  const table = async (team: Team, query: Record<string, string>, person = team.viewer) =>
    as(postEndpoints.list, await person.api.get(`/api/workspaces/${team.workspaceId}/posts?${new URLSearchParams(query)}`));
  const titles = async (team: Team, query: Record<string, string>) => (await table(team, query)).posts.map(({ title }) => title);

  test("finds by title, creator and status, sorts and pages, in one call", async () => {
    const other = await newTeam();
    for (const [person, title, status] of [
      ["owner", "Dark mode", "published"],
      ["editor", "50% faster", "draft"],
      ["editor", "Darker mode", "draft"],
    ] as const)
      await newPost(other[person], other.workspaceId, { title, status });
    expect(await titles(other, { q: " dark " })).toEqual(["Darker mode", "Dark mode"]);
    expect(await titles(other, { q: "edda" })).toEqual(["Darker mode", "50% faster"]);
    expect(await titles(other, { q: "0% F" })).toEqual(["50% faster"]);
    expect(await titles(other, { q: "' or 1=1 --" })).toEqual([]);
    expect(await titles(other, { owner: "EDDA editor" })).toEqual(["Darker mode", "50% faster"]);
    expect(await titles(other, { owner: "Edda" })).toEqual([]);
    expect(await titles(other, { q: "dark", status: "draft", owner: "Edda Editor", sort: "recent_activity" })).toEqual(["Darker mode"]);
    expect(await table(other, { sort: "recent_activity", limit: "2", page: "2" })).toMatchObject({
      posts: [{ title: "Dark mode" }],
      pagination: { page: 2, pages: 2, total: 3 },
    });
    expect(await table(other, { sort: "recent_activity", limit: "2", page: "9" })).toEqual({
      posts: [],
      pagination: { page: 9, pages: 2, total: 3 },
    });
  });

  test.each([`q=${"x".repeat(201)}`, `owner=${"x".repeat(121)}`, "sort=title", "sort="])("refuses %s at the field", async (query) => {
    const answer = await team.owner.api.get(`/api/workspaces/${team.workspaceId}/posts?${query}`);
    expect(answer).toMatchObject({ status: 422, body: { fields: { [query.split("=")[0]!]: expect.any(String) as string } } });
  });
});

describe("search", () => {
  test("finds words in title, tags and text, whatever their case, of this workspace only", async () => {
    const [mine, other] = [await newWorkspace(team.owner), await newWorkspace(await newPerson())];
    await newPost(team.owner, mine.id, { title: "Zebra crossing" });
    await newPost(team.owner, mine.id, { title: "Tagged", tags: ["zebra"] });
    await newPost(team.owner, mine.id, { title: "Written", blocks: paragraph("A ZEBRA in the text, 100% sure_thing") });
    await newPost(team.owner, mine.id, { title: "Horse" });
    const find = async (q: string, limit = "") =>
      as(
        postEndpoints.search,
        await team.owner.api.get(`/api/workspaces/${mine.id}/posts/search?q=${encodeURIComponent(q)}${limit}`),
      ).posts.map(({ title }) => title);
    expect(await find(" zebra ")).toEqual(["Written", "Tagged", "Zebra crossing"]);
    expect(await find("zebra", "&limit=2")).toHaveLength(2);
    expect(await find("100%")).toEqual(["Written"]);
    expect(await find("%")).toEqual([]); // punctuation is nothing to look for
    expect(await find("' or 1=1 --")).toEqual([]);
    expect((await team.owner.api.get(`/api/workspaces/${other.id}/posts/search?q=zebra`)).status).toBe(404);
  });

  test.each(["q=", "q=%20", "", `q=${"x".repeat(201)}`, "q=ok&limit=51"])("refuses %s", async (query) => {
    expect((await team.owner.api.get(`/api/workspaces/${team.workspaceId}/posts/search?${query}`)).status).toBe(422);
  });
});

test("upcoming posts are the scheduled ones of all one's workspaces, soonest first; one workspace on request", async () => {
  const person = await newPerson();
  const [one, two] = [await newWorkspace(person), await newWorkspace(person)];
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  await newPost(person, one.id, { title: "Later", publish_at: at(5) });
  await newPost(person, two.id, { title: "Sooner", publish_at: at(2) });
  await newPost(person, one.id, { title: "Draft" });
  const upcoming = async (query = "") =>
    as(postEndpoints.upcoming, await person.api.get(`/api/posts/upcoming${query}`)).posts.map(({ title }) => title);
  expect(await upcoming()).toEqual(["Sooner", "Later"]);
  expect(await upcoming(`?workspaceId=${one.id}`)).toEqual(["Later"]);
  expect((await person.api.get("/api/posts/upcoming?workspaceId=x")).status).toBe(422);
});
