import { beforeAll, describe, expect, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import { as } from "./support/client.ts";
import { newPost, newTeam, newWorkspace, type Team } from "./support/people.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

describe("posts lists", () => {
  test("have pages, sorted by last edit", async () => {
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
