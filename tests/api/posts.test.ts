import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { postEndpoints } from "#contract/posts.ts";
import { as } from "./support/client.ts";
import { newPerson, newPost, newTeam, newWorkspace, paragraph, type ShownPost, sql, type Team } from "./support/people.ts";

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
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

describe("creating", () => {
  test("makes a draft, with everything the contract says", async () => {
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

  test("takes the bare list of blocks too", async () => {
    expect(as(postEndpoints.create, await create({ blocks: paragraph("Bare.").blocks })).post.content_md).toBe("<p>Bare.</p>");
  });

  test("schedules when a time is given, publishes when asked", async () => {
    const publish_at = tomorrow();
    expect((await create({ publish_at })).body.post).toMatchObject({ status: "scheduled", publish_at });
    expect((await create({ status: "published" })).body.post).toMatchObject({
      status: "published",
      published_at: expect.stringMatching(/Z$/) as string,
    });
  });

  test("cleans what it is given and renders its own HTML", async () => {
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
    [{ publish_at: "tomorrow" }, { publish_at: "This is not a valid point in time" }],
    [{ publish_at: "2020-01-01T00:00:00Z" }, { publish_at: "Please choose a time in the future" }],
    [{ status: "scheduled" }, { publish_at: "Please select a date and time" }],
    [{ status: "archived" }, { status: expect.any(String) as string }],
    [{ tags: Array.from({ length: 21 }, (_, index) => `tag ${index}`) }, { tags: "A post can have at most 20 tags" }],
    [{ tags: ["x".repeat(41)] }, { "tags.0": "A tag can have at most 40 characters" }],
    [{ workspace_id: "nowhere" }, { workspace_id: "This is not a valid id" }],
  ])("with %j is refused at the field", async (fields, expected) => {
    const answer = await create(fields);
    expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed", fields: expected } });
    expect(Object.keys(answer.body.fields!)).toEqual(Object.keys(expected));
  });

  test("gives every post of a workspace its own address", async () => {
    const slugs = await Promise.all([1, 2, 3].map(async () => (await create({ title: "Same title" })).body.post.slug));
    expect(slugs.sort()).toEqual(["same-title", "same-title-2", "same-title-3"]);
  });

  test("sets nothing that is the database's to decide", async () => {
    const forged = {
      id: randomUUID(),
      version: 99,
      slug: "mine",
      created_by: team.owner.id,
      author_name: "Somebody",
      published_at: "2020-01-01T00:00:00Z",
      excerpt: "x",
    };
    const { post } = (await create(forged)).body;
    expect(post).toMatchObject({
      version: 1,
      created_by: team.editor.id,
      author_name: "Edda Editor",
      published_at: null,
      excerpt: "Words.",
    });
    expect([post.id, post.slug]).not.toContain(forged.id);
    expect(post.slug).not.toBe("mine");
  });
});

describe("saving", () => {
  test("changes what is named, keeps the rest, raises the version", async () => {
    const { id } = await newPost(team.editor, team.workspaceId, { tags: ["docs"] });
    const { post } = as(postEndpoints.update, await save(id, { content_raw: JSON.stringify(paragraph("Second words.")) }));
    expect(post).toMatchObject({ title: "Hello", tags: ["docs"], content_md: "<p>Second words.</p>", version: 2 });
    expect((await save(id, { title: "New title" })).body.post).toMatchObject({
      title: "New title",
      content_md: "<p>Second words.</p>",
      version: 3,
    });
  });

  test("that changes nothing keeps the version", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    expect((await save(id, { title: "Hello", version: 1 })).body.post.version).toBe(1);
  });

  test.each([
    ["{", "The content is not valid JSON"],
    ["", "The content is not valid JSON"],
    ["null", "Content is required"],
    ['"text"', "Content is required"],
    ['{"blocks": 7}', "Content is required"],
    ['{"blocks": []}', "Content is required"],
  ])("content_raw %j is refused at the field", async (content_raw, sentence) => {
    const { id } = await newPost(team.editor, team.workspaceId);
    expect(await save(id, { content_raw })).toMatchObject({ status: 422, body: { fields: { content_raw: sentence } } });
    expect((await team.viewer.api.get<{ post: ShownPost }>(`/api/posts/${id}`)).body.post.version).toBe(1);
  });

  test("never takes HTML", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const { post } = (await save(id, { content_md: "<script>alert(1)</script>", html: "<b>x</b>" })).body;
    expect(post.content_md).toBe("<p>First words.</p>");
  });

  test("moves a post only to another state, never to another workspace or author", async () => {
    const { id: elsewhere } = await newWorkspace(team.editor);
    const { id } = await newPost(team.editor, team.workspaceId);
    const { post } = (await save(id, { workspace_id: elsewhere, created_by: team.owner.id, id: randomUUID(), slug: "mine", version: 1 }))
      .body;
    expect(post).toMatchObject({
      id,
      workspace_id: team.workspaceId,
      created_by: team.editor.id,
      slug: "hello" === post.slug ? "hello" : post.slug,
    });
    expect(post.slug).not.toBe("mine");
  });
});

describe("the life of a post", () => {
  test("scheduling, unscheduling, publishing", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const publish_at = tomorrow();
    expect((await save(id, { publish_at })).body.post).toMatchObject({ status: "scheduled", publish_at });
    expect((await save(id, { publish_at: null })).body.post).toMatchObject({ status: "draft", publish_at: null });
    expect((await save(id, { status: "published" })).body.post).toMatchObject({ status: "published", publish_at: null });
  });

  test.each([{ status: "draft" }, { status: "scheduled", publish_at: tomorrow() }, { publish_at: tomorrow() }])(
    "a published post refuses %j, but not new words",
    async (fields) => {
      const { id } = await newPost(team.editor, team.workspaceId, { status: "published" });
      const answer = await save(id, fields);
      expect([answer.status, answer.body.code, answer.body.error]).toEqual([
        409,
        "published_post_locked",
        "Published posts cannot be scheduled or moved back to draft status",
      ]);
      expect((await save(id, { content_raw: JSON.stringify(paragraph("Corrected.")) })).body.post).toMatchObject({
        status: "published",
        content_md: "<p>Corrected.</p>",
      });
    },
  );

  test("archiving takes it out of every list, purging out of the world", async () => {
    const workspace = await newWorkspace(team.owner);
    const { id } = await newPost(team.owner, workspace.id);
    const archived = as(postEndpoints.remove, await team.owner.api.delete(`/api/posts/${id}`));
    expect(archived.post).toMatchObject({ id, status: "archived", archived_at: expect.stringMatching(/Z$/) as string });
    const list = async (query: string) => as(postEndpoints.list, await team.owner.api.get(`/api/workspaces/${workspace.id}/posts${query}`));
    expect((await list("")).posts).toEqual([]);
    expect((await list("?status=archived")).posts.map((post) => post.id)).toEqual([id]);
    const refused = await team.owner.api.put(`/api/posts/${id}`, { title: "Changed" });
    expect([refused.status, refused.body.code]).toEqual([409, "archived_post_locked"]);
    expect(as(postEndpoints.remove, await team.owner.api.delete(`/api/posts/${id}?purge=true`))).toEqual({ success: true, post: null });
    expect((await team.owner.api.get(`/api/posts/${id}`)).status).toBe(404);
    expect(await sql`select 1 from public.post_revisions where post_id = ${id}`).toHaveLength(0);
  });

  test("purge may be asked for in the body", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    expect((await team.editor.api.delete(`/api/posts/${id}`, { body: { purge: true } })).body).toEqual({ success: true, post: null });
    expect((await team.editor.api.get(`/api/posts/${id}`)).status).toBe(404);
  });
});

describe("versions", () => {
  test("a stale save changes nothing and says who was faster", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    await team.admin.api.put(`/api/posts/${id}`, { title: "By the admin", version: 1 });
    const answer = await save(id, { title: "By the editor", version: 1 });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "version_conflict", error: "Post updated elsewhere", conflict: { version: 2, updated_by_name: "Adam Admin" } },
    });
    expect((await team.editor.api.get<{ post: ShownPost }>(`/api/posts/${id}`)).body.post.title).toBe("By the admin");
  });

  test("of many saves at the same version exactly one wins", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => save(id, { title: `Save ${index}`, version: 1 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(11).fill(409)]);
    const won = answers.find(({ status }) => status === 200)!.body.post.title;
    expect((await team.editor.api.get<{ post: ShownPost }>(`/api/posts/${id}`)).body.post).toMatchObject({ title: won, version: 2 });
  });

  test("'Save anyway' sends no version and wins", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    await save(id, { title: "Second" });
    expect((await save(id, { title: "Third" })).body.post).toMatchObject({ title: "Third", version: 3 });
  });

  test("the check says whether a copy is current", async () => {
    const { id } = await newPost(team.editor, team.workspaceId);
    const check = async (version: unknown) => (await team.viewer.api.get(`/api/posts/${id}/version?version=${version}`)).body;
    expect(await check(1)).toEqual({ isCurrent: true });
    await save(id, { title: "Second" });
    expect(await check(1)).toEqual({ isCurrent: false });
    expect(await check(2)).toEqual({ isCurrent: true });
    expect(await check("two")).toMatchObject({ code: "validation_failed", fields: { version: expect.any(String) as string } });
  });

  test.each([0, -1, 1.5, "1"])("version %j is no version", async (version) => {
    const { id } = await newPost(team.editor, team.workspaceId);
    expect(await save(id, { title: "x", version })).toMatchObject({
      status: 422,
      body: { fields: { version: expect.any(String) as string } },
    });
  });
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

  test("of a new workspace are one empty page", async () => {
    const workspace = await newWorkspace(team.owner);
    expect((await team.owner.api.get(`/api/workspaces/${workspace.id}/posts`)).body).toEqual({
      posts: [],
      pagination: { page: 1, pages: 1, total: 0 },
    });
  });

  test.each(["page=0", "page=-1", "page=x", "limit=0", "limit=101", "limit=1.5", "status=secret"])("refuse %s", async (query) => {
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

test("everybody in the workspace reads a post; it outlives the membership of who wrote it", async () => {
  const { id } = await newPost(team.editor, team.workspaceId);
  for (const person of [team.owner, team.admin, team.editor, team.viewer]) {
    const { post } = as(postEndpoints.read, await person.api.get(`/api/posts/${id}`));
    expect(post.author).toEqual({ user_id: team.editor.id, full_name: "Edda Editor", avatar_url: null });
  }
  await sql`delete from public.members where user_id = ${team.editor.id} and workspace_id = ${team.workspaceId}`;
  expect((await team.editor.api.get(`/api/posts/${id}`)).status).toBe(404);
  const { post } = as(postEndpoints.read, await team.owner.api.get(`/api/posts/${id}`));
  expect(post).toMatchObject({ created_by: team.editor.id, author_name: "Edda Editor" });
});
