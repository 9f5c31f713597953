import { beforeAll, describe, expect, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import { as } from "./support/client.ts";
import { newPost, newTeam, paragraph, type ShownPost, type Team } from "./support/people.ts";

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

describe("creating a post", () => {
  test("makes a draft with every field of the contract", async () => {
    const { post } = as(postEndpoints.create, await create({ tags: ["feature", "feature", " fix "] }));
    expect(post).toMatchObject({
      workspace_id: team.workspaceId,
      title: "Hello",
      status: "draft",
      version: 1,
      tags: ["feature", "fix"],
      excerpt: "Words.",
      publish_at: null,
      published_at: null,
      archived_at: null,
      created_by: team.editor.id,
      created_by_name: "Edda Editor",
      author_name: "Edda Editor",
      author: { user_id: team.editor.id, full_name: "Edda Editor", avatar_url: null },
      public_changelog_enabled: false,
      content_md: "<p>Words.</p>",
    });
    expect(JSON.parse(post.content_raw)).toMatchObject({ blocks: [{ type: "paragraph", data: { text: "Words." } }], version: "2.28.2" });
    expect(post.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test("accepts a summary, which replaces the excerpt; a save removes it again", async () => {
    const { post } = as(postEndpoints.create, await create({ summary: " In short. " }));
    expect(post).toMatchObject({ summary: "In short.", excerpt: "In short." });
    const listed = await team.viewer.api.get<{ posts: ShownPost[] }>(`/api/workspaces/${team.workspaceId}/posts?ids=${post.id}`);
    expect(listed.body.posts).toMatchObject([{ summary: "In short.", excerpt: "In short." }]);
    expect((await save(post.id, { title: "Other" })).body.post).toMatchObject({ summary: "In short." });
    expect((await save(post.id, { summary: null })).body.post).toMatchObject({ summary: null, excerpt: "Words." });
    expect(await save(post.id, { summary: "x".repeat(301) })).toMatchObject({
      status: 422,
      body: { fields: { summary: "The summary can have at most 300 characters" } },
    });
  });

  test("publishes at a chosen URL and opens the changelog", async () => {
    const { owner, workspaceId } = await newTeam();
    const create = (slug: string) =>
      owner.api.post("/api/posts", {
        ...{ workspace_id: workspaceId, title: "Dark mode", blocks: paragraph("Words."), status: "published" },
        ...{ slug, public_changelog_enabled: true },
      });
    expect((await create("Night-Mode")).body).toMatchObject({ post: { slug: "night-mode", public_changelog_enabled: true } });
    expect((await create("night-mode")).body).toMatchObject({ code: "slug_taken", fields: { slug: expect.any(String) as string } });
  });

  test("accepts a plain list of blocks too", async () => {
    expect(as(postEndpoints.create, await create({ blocks: paragraph("Bare.").blocks })).post.content_md).toBe("<p>Bare.</p>");
  });

  test("sanitizes its input and renders its own HTML", async () => {
    const blocks = [
      {
        type: "paragraph",
        data: {
          text: 'Hi <script>alert(1)</script><img src=x onerror=alert(1)><b onclick="x()">bold</b> <a href="javascript:alert(1)">x</a>',
        },
      },
      { type: "raw", data: { html: "<script>alert(1)</script>" } },
    ];
    const { post } = (await create({ blocks, html: "<script>alert(1)</script>" })).body;
    for (const text of [post.content_raw, post.content_md]) expect(text).not.toMatch(/<script|onerror|onclick|javascript:/i);
    expect(post.content_md).toContain("<b>bold</b>");
  });

  test.each([
    [{ title: "" }, { title: "Title is required" }],
    [{ title: "   " }, { title: "Title is required" }],
    [{ title: undefined }, { title: "Title is required" }],
    [{ title: "x".repeat(120) }, { title: "The title can have at most 119 characters" }],
    [{ blocks: undefined }, { blocks: "Content is required" }],
    [{ blocks: [] }, { blocks: "Content is required" }],
    [{ blocks: "[]" }, { blocks: "Content is required" }],
    [{ blocks: paragraph("  <br> ") }, { blocks: "Content is required" }],
    [{ blocks: [{ type: "delimiter", data: {} }] }, { blocks: "Content is required" }],
    [{ publish_at: "tomorrow" }, { publish_at: "This isn't a valid time" }],
    [{ publish_at: "2020-01-01T00:00:00Z" }, { publish_at: "Please choose a time in the future" }],
    [{ status: "scheduled" }, { publish_at: "Please select a date and time" }],
    [{ status: "archived" }, { status: expect.any(String) as string }],
    [{ tags: Array.from({ length: 21 }, (_, index) => `tag ${index}`) }, { tags: "A post can have at most 20 tags" }],
    [{ tags: ["x".repeat(41)] }, { "tags.0": "A tag can have at most 40 characters" }],
    [{ workspace_id: "nowhere" }, { workspace_id: "This isn't a valid id" }],
  ])("with %j is refused at the field", async (fields, expected) => {
    const answer = await create(fields);
    expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed", fields: expected } });
    expect(Object.keys(answer.body.fields!)).toEqual(Object.keys(expected));
  });
});

describe("saving a post", () => {
  test("changes the given fields, keeps the rest, and increases the version", async () => {
    const { id } = await newPost(team.editor, team.workspaceId, { tags: ["docs"] });
    const { post } = as(postEndpoints.update, await save(id, { content_raw: JSON.stringify(paragraph("Second words.")) }));
    expect(post).toMatchObject({ title: "Hello", tags: ["docs"], content_md: "<p>Second words.</p>", version: 2 });
    expect((await save(id, { title: "New title" })).body.post).toMatchObject({
      title: "New title",
      content_md: "<p>Second words.</p>",
      version: 3,
    });
  });

  test.each([
    ["{", "The content isn't valid JSON"],
    ["", "The content isn't valid JSON"],
    ["null", "Content is required"],
    ['"text"', "Content is required"],
    ['{"blocks": 7}', "Content is required"],
    ['{"blocks": []}', "Content is required"],
  ])("with content_raw %j is refused at the field", async (content_raw, sentence) => {
    const { id } = await newPost(team.editor, team.workspaceId);
    expect(await save(id, { content_raw })).toMatchObject({ status: 422, body: { fields: { content_raw: sentence } } });
    expect((await team.viewer.api.get<{ post: ShownPost }>(`/api/posts/${id}`)).body.post.version).toBe(1);
  });

  test("ignores HTML", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const { post } = (await save(id, { content_md: "<script>alert(1)</script>", html: "<b>x</b>" })).body;
    expect(post.content_md).toBe("<p>First words.</p>");
  });
});
