import { beforeAll, expect, test } from "vitest";
import { revisionEndpoints, revisionsPageSize } from "#contract/revisions.ts";
import { as } from "./support/client.ts";
import { newPerson, newPost, newTeam, paragraph, sql, type Team } from "./support/people.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

async function postOfThree(): Promise<string> {
  const { id } = await newPost(team.editor, team.workspaceId, { tags: ["fix"] });
  await team.admin.api.put(`/api/posts/${id}`, { title: "Second title", content_raw: JSON.stringify(paragraph("Second words.")) });
  await team.editor.api.put(`/api/posts/${id}`, { title: "Third title", tags: [] });
  return id;
}

test("versions of a post can be listed, newest first, and read", async () => {
  const id = await postOfThree();
  const { revisions } = as(revisionEndpoints.list, await team.viewer.api.get(`/api/posts/${id}/revisions`));
  expect(revisions.map(({ version, title, author_name, tags }) => [version, title, author_name, tags])).toEqual([
    [3, "Third title", "Edda Editor", []],
    [2, "Second title", "Adam Admin", ["fix"]],
    [1, "Hello", "Edda Editor", ["fix"]],
  ]);
  const { revision } = as(revisionEndpoints.read, await team.viewer.api.get(`/api/posts/${id}/revisions/1`));
  expect(revision).toMatchObject({ version: 1, title: "Hello", content_md: "<p>First words.</p>" });
  for (const version of ["0", "4", "x", "1.5", "99999999999"])
    expect((await team.viewer.api.get(`/api/posts/${id}/revisions/${version}`)).status).toBe(404);
});

test("versions of a post can be paged through", async () => {
  const { id } = await newPost(team.editor, team.workspaceId);
  const last = revisionsPageSize + 20;
  await sql`insert into public.post_revisions (post_id, workspace_id, version, status, title, tags, content_raw, created_at)
    select ${id}, ${team.workspaceId}, n, 'draft', 'Again', '{}', '{"blocks": []}', now() from generate_series(2, ${last}::int) as n`;
  const page = async (query: string) =>
    as(revisionEndpoints.list, await team.viewer.api.get(`/api/posts/${id}/revisions${query}`)).revisions.map(({ version }) => version);
  const first = await page("");
  expect([first.length, first[0], first.at(-1)]).toEqual([revisionsPageSize, last, 21]);
  expect(await page("?before=21")).toEqual(Array.from({ length: 20 }, (_, n) => 20 - n));
  expect(await page("?before=1")).toEqual([]);
  const stranger = await newPerson();
  for (const query of ["", "?before=1"]) expect((await stranger.api.get(`/api/posts/${id}/revisions${query}`)).status).toBe(404);
  expect((await team.viewer.api.get(`/api/posts/${id}/revisions?before=x`)).status).toBe(422);
});
