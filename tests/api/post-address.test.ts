import { beforeAll, describe, expect, test } from "vitest";
import { newPost, newTeam, type ShownPost, type Team } from "./support/people.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});

describe("a published post's address", () => {
  const published = () => newPost(team.editor, team.workspaceId, { title: "Dark mode", status: "published" });
  const change = (post: ShownPost, slug: unknown, who = team.editor) =>
    who.api.put<{ post: ShownPost }>(`/api/posts/${post.id}`, { slug, version: post.version });

  test("changes by hand, and the old one leads to it", async () => {
    const post = await published();
    const { status, body } = await change(post, " Night-Mode ");
    expect([status, body.post.slug, body.post.version]).toEqual([200, "night-mode", post.version + 1]);
    expect([body.post.title, body.post.content_raw, body.post.status]).toEqual([post.title, post.content_raw, post.status]);
  });
});
