import { beforeAll, describe, expect, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import { as } from "./support/client.ts";
import { newPost, newTeam, newWorkspace, type Team } from "./support/people.ts";

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
});
