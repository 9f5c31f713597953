import { beforeAll, describe, expect, inject, test } from "vitest";
import { jsonBodyMaxBytes, smallJsonBodyMaxBytes } from "#contract/body-limits.ts";
import { newPost, newTeam, sql, type Team } from "./support/people.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

const text = (characters: string) => ({ type: "paragraph", data: { text: characters } });

test("a post that is too long is refused as a whole, with the limit", async () => {
  const blocks = Array(1_001).fill(text("x"));
  const sentence = "A post can have at most 1,000 blocks";
  const created = await team.editor.api.post("/api/posts", { title: "Long", blocks, workspace_id: team.workspaceId });
  expect(created).toMatchObject({ status: 422, body: { code: "validation_failed", fields: { blocks: sentence } } });
  const post = await newPost(team.editor, team.workspaceId);
  const saved = await team.editor.api.put(`/api/posts/${post.id}`, { content_raw: JSON.stringify({ blocks }), version: post.version });
  expect(saved).toMatchObject({ status: 422, body: { code: "validation_failed", fields: { content_raw: sentence } } });
});

describe("an oversized body is refused before parsing:", () => {
  test.each([
    ["of two million nested lists", `{"blocks":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`],
    ["of half a million empty lists", `{"blocks":[${"[],".repeat(500_000)}1]}`],
    ["of two hundred thousand tags", `{"tags":[${"1,".repeat(200_000)}1]}`],
  ])("by %s", async (_, json) => {
    expect(await team.editor.api.post("/api/posts", json)).toMatchObject({ status: 413, body: { code: "body_too_large" } });
  });

  test("half a million empty lists inside content_raw are refused too", async () => {
    const post = await newPost(team.editor, team.workspaceId);
    const content_raw = `{"blocks":[${"[],".repeat(500_000)}1]}`;
    expect(await team.editor.api.put(`/api/posts/${post.id}`, { content_raw })).toMatchObject({
      status: 413,
      body: { code: "body_too_large" },
    });
  });

  test("only posts can have large bodies", async () => {
    const long = JSON.stringify({ full_name: "x".repeat(smallJsonBodyMaxBytes) });
    expect(long.length).toBeLessThan(jsonBodyMaxBytes);
    expect(await team.editor.api.patch("/api/profiles/me", long)).toMatchObject({ status: 413, body: { code: "body_too_large" } });
  });
});

test("reading all of a workspace's long posts at once is refused, past the API too, while smaller requests work", async () => {
  const { url, publishableKey } = inject("stack");
  const { workspaceId, owner } = await newTeam();
  const longest = { blocks: Array(6).fill(text("x".repeat(45_000))) };
  await sql`insert into public.posts (workspace_id, title, content_raw) select ${workspaceId}, 'Long ' || n, ${sql.json(longest)} from generate_series(1, 30) as n`;
  const ask = (query: string) =>
    fetch(`${url}/rest/v1/posts?${query}`, { headers: { apikey: publishableKey, authorization: `Bearer ${owner.token}` } });
  const all = await ask("select=*");
  expect(all.status).toBe(503);
  const embedded = "id,workspaces!posts_workspace_id_fkey(posts!posts_workspace_id_fkey(content_raw,again:content_raw,more:content_raw))";
  const oneRow = await ask(`select=${embedded}&limit=1`); // 24 megabytes, which Postgres sends in one message
  expect(oneRow.status).toBe(503);
  const some = await ask("select=id&limit=20");
  expect([some.status, (await some.json()) as unknown[]]).toEqual([200, Array(20).fill({ id: expect.any(String) as string })]);
});
