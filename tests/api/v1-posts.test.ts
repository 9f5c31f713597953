import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { problem } from "#contract/error-body.ts";
import { v1PostEndpoints, type V1Post } from "#contract/v1/posts.ts";
import { v1ReviewEndpoints } from "#contract/v1/reviews.ts";
import { v1RevisionEndpoints } from "#contract/v1/revisions.ts";
import { v1TagEndpoints } from "#contract/v1/tags.ts";
import { type Answer, as, Client } from "./support/client.ts";
import { newKey, newPost, newTeam, newThread, sql, type Team } from "./support/people.ts";
import { visit } from "./support/public.ts";

const { url } = inject("stack");

let team: Team;
let api: Client;
beforeAll(async () => {
  team = await newTeam();
  ({ api } = await newKey(team.owner, team.workspaceId));
  await team.owner.api.post("/api/public/changelog/toggle", { isPublic: true, workspaceId: team.workspaceId });
});

const draft = { title: "Faster search", markdown: "Search is **twice** as fast." };
const create = async (fields: object = {}, program = api): Promise<V1Post> =>
  as(v1PostEndpoints.create, await program.post("/api/v1/posts", { ...draft, ...fields })).post;
const read = async (id: string): Promise<V1Post> => as(v1PostEndpoints.read, await api.get(`/api/v1/posts/${id}`)).post;
const named = (name: string) => `/api/v1/posts/by-external-id/${encodeURIComponent(name)}`;
const put = (name: string, body: object, headers: Record<string, string> = {}, program = api) =>
  program.put<{ post: V1Post }>(named(name), body, { headers });
const tagsOf = async (program = api) => as(v1TagEndpoints.list, await program.get("/api/v1/tags")).tags;
const events = async (id: string) => (await sql`select kind from private.events where post_id = ${id}`).length;
const refusal = ({ status, body }: Answer) => ({ status, code: body.code, fields: Object.keys(body.fields ?? {}) });
const invalid = (...fields: string[]) => ({ status: 422, code: "validation_failed", fields });

describe("writing by the API", () => {
  test("turns Markdown into a draft of blocks, and returns both", async () => {
    const made = await create({ tags: ["improvement"], summary: "In short." });
    expect(made).toMatchObject({
      title: "Faster search",
      status: "draft",
      version: 1,
      tags: ["improvement"],
      summary: "In short.",
      excerpt: "In short.",
      markdown: "Search is **twice** as fast.",
      blocks: [{ type: "paragraph", data: { text: "Search is <b>twice</b> as fast." } }],
      author: "Olive Owner",
      external_id: null,
      url: null,
      publish_at: null,
      published_at: null,
    });
    expect(await read(made.id)).toEqual(made);
    expect((await team.viewer.api.get(`/api/posts/${made.id}`)).body).toMatchObject({ post: { title: "Faster search", version: 1 } });
  });

  test("links requests without a new version, and merges them", async () => {
    const [linear, github] = ["https://linear.app/acme/issue/ENG-12", "https://github.com/acme/app/issues/12"];
    const made = await create();
    const address = `/api/v1/posts/${made.id}`;
    const before = (await api.get(address)).headers.get("etag");
    const link = async (body: object) => as(v1PostEndpoints.linkRequests, await api.post(`${address}/requests`, body)).post.requests;
    expect(made.requests).toEqual([]);
    expect(await link({ add: ["https://LINEAR.app/acme/issue/ENG-12"] })).toEqual([linear]);
    expect(await link({ add: [linear, github] })).toEqual([linear, github]);
    expect(await link({ remove: [linear] })).toEqual([github]);
    expect(await read(made.id)).toMatchObject({ version: 1, updated_at: made.updated_at, requests: [github] });
    expect((await api.get(address)).headers.get("etag")).not.toBe(before);
    const { posts } = as(v1PostEndpoints.list, await api.get("/api/v1/posts"));
    expect(posts.find(({ id }) => id === made.id)?.requests).toEqual([github]);
    expect(refusal(await api.post(`${address}/requests`, { add: ["https://example.com/issues/1"] }))).toEqual(invalid("add.0"));
    const many = Array.from({ length: 20 }, (_, place) => `https://github.com/acme/app/pull/${place}`);
    expect(refusal(await api.post(`${address}/requests`, { add: many }))).toEqual(invalid("add"));
    expect((await team.viewer.api.post(`/api/posts/${made.id}/requests`, { add: [linear] })).status).toBe(403);
    expect((await team.editor.api.post(`/api/posts/${made.id}/requests`, { add: [linear] })).body).toEqual({ requests: [github, linear] });
  });

  test("asks for approval, and lists the requests of a post", async () => {
    const { id } = await create();
    const reviews = `/api/v1/posts/${id}/reviews`;
    expect(as(v1ReviewEndpoints.list, await api.get(reviews))).toEqual({ reviews: [] });
    const { review } = as(v1ReviewEndpoints.ask, await api.post(reviews, { note: "From the build", version: 1 }));
    expect(review).toMatchObject({ state: "waiting", note: "From the build", version: 1, publish_at: null });
    expect(as(v1ReviewEndpoints.list, await api.get(reviews))).toEqual({ reviews: [review] });
    expect((await api.post(reviews, { version: 7 })).body).toMatchObject({ code: "version_conflict" });
  });

  test("keeps versions and comments until a draft is deleted", async () => {
    const { id } = await create();
    await api.patch(`/api/v1/posts/${id}`, { markdown: "Faster." });
    const { headers, body } = await api.get(`/api/v1/posts/${id}/revisions?limit=1`);
    const { revisions, next_cursor } = v1RevisionEndpoints.list.response.parse(body);
    expect(revisions).toMatchObject([{ version: 2, title: "Faster search", status: "draft", author: "Olive Owner" }]);
    expect(headers.get("link")).toMatch(new RegExp(`^<http.+/api/v1/posts/${id}/revisions\\?limit=1&cursor=${next_cursor}>; rel="next"$`));
    const first = as(v1RevisionEndpoints.read, await api.get(`/api/v1/posts/${id}/revisions/1`)).revision;
    expect(first).toMatchObject({ version: 1, markdown: draft.markdown });
    expect((await api.get(`/api/v1/posts/${randomUUID()}/revisions`)).status).toBe(404);
    await newThread(team.editor, id);
    const { threads } = (await api.get(`/api/v1/posts/${id}/comments`)).body as { threads: { comments: object[] }[] };
    expect(threads.flatMap((thread) => [thread, ...thread.comments].map(Object.keys))).toEqual([
      ["id", "block_id", "quote", "created_at", "resolved_at", "comments"], // no names
      ["id", "text", "created_at", "edited_at"],
    ]);
    expect(as(v1PostEndpoints.remove, await api.delete(`/api/v1/posts/${id}`))).toEqual({ success: true });
    expect((await api.get(`/api/v1/posts/${id}`)).status).toBe(404);
    expect(refusal(await api.delete(`/api/v1/posts/${(await create({ status: "published" })).id}`))).toEqual(invalid("status"));
  });

  test("accepts the editor's blocks", async () => {
    const { markdown, blocks } = await create({
      markdown: undefined,
      blocks: { blocks: [{ type: "code", data: { code: "let x", language: "js" } }] },
    });
    expect(markdown).toBe("```js\nlet x\n```");
    expect(blocks).toMatchObject([{ type: "code", data: { code: "let x", language: "js" } }]);
  });

  test("can publish a new post immediately, with the requested slug", async () => {
    const slug = `fast-${randomUUID().slice(0, 8)}`;
    const made = await create({ status: "published", slug, published_at: "2024-02-03T04:05:06.000Z" });
    expect(made).toMatchObject({ status: "published", slug, version: 1, published_at: "2024-02-03T04:05:06.000Z" });
    expect(made.url).toBe(`${url.replace("//127.0.0.1", "//localhost").replace("//", `//${team.subdomain}.`)}/releases/${slug}`);
    expect((await visit(team.subdomain, `/releases/${slug}`)).body).toContain("<b>twice</b>");
    expect((await api.post("/api/v1/posts", { ...draft, slug })).body).toMatchObject({
      code: "slug_taken",
      fields: { slug: expect.any(String) as string },
    });
  });

  test("by PATCH changes the given fields and keeps the rest", async () => {
    const made = await create({ tags: ["fix"] });
    const changed = as(v1PostEndpoints.change, await api.patch(`/api/v1/posts/${made.id}`, { title: "Search, faster" })).post;
    expect(changed).toMatchObject({ title: "Search, faster", tags: ["fix"], markdown: made.markdown, version: 2 });
  });

  test("publishes, schedules and archives, and is idempotent", async () => {
    const { id } = await create();
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const scheduled = as(v1PostEndpoints.schedule, await api.post(`/api/v1/posts/${id}/schedule`, { publish_at: at })).post;
    expect(scheduled).toMatchObject({ status: "scheduled", publish_at: at, version: 2, url: null });
    const published = as(v1PostEndpoints.publish, await api.post(`/api/v1/posts/${id}/publish`)).post;
    expect(published).toMatchObject({ status: "published", version: 3 });
    expect(as(v1PostEndpoints.publish, await api.post(`/api/v1/posts/${id}/publish`, { notify: true })).post).toEqual(published);
    expect(await events(id)).toBe(1);
    const archived = as(v1PostEndpoints.archive, await api.post(`/api/v1/posts/${id}/archive`)).post;
    expect(archived).toMatchObject({ status: "archived", version: 4, url: null });
    expect(as(v1PostEndpoints.archive, await api.post(`/api/v1/posts/${id}/archive`)).post).toEqual(archived);
    expect(refusal(await api.post(`/api/v1/posts/${id}/publish`))).toMatchObject({ status: 409, code: "archived_post_locked" });
    expect(refusal(await api.patch(`/api/v1/posts/${id}`, { title: "x" }))).toMatchObject({ status: 409, code: "archived_post_locked" });
  });

  test("finds an existing tag by any spelling of its name, without creating a second one", async () => {
    const acme = await newTeam();
    const program = (await newKey(acme.owner, acme.workspaceId)).api;
    const given = ["Documentation", "documentation", " DOCUMENTATION ", "docs", "DOCS"];
    for (const tag of given) expect((await create({ tags: [tag] }, program)).tags).toEqual(["docs"]);
    expect((await create({ tags: given }, program)).tags).toEqual(["docs"]);
    const { post } = (await put("t1", { ...draft, tags: ["Documentation"] }, {}, program)).body;
    expect(post.tags).toEqual(["docs"]);
    await program.patch(`/api/v1/posts/${post.id}`, { tags: ["Feature", "dOcumentation"] });
    expect((await program.get<{ post: V1Post }>(named("t1"))).body.post.tags).toEqual(["feature", "docs"]);
    expect((await tagsOf(program)).map(({ key }) => key)).toEqual(["feature", "improvement", "fix", "docs"]);
    await newPost(acme.editor, acme.workspaceId, { tags: ["documentation"] });
    expect((await create({ tags: ["documentation", "docs"] }, program)).tags).toEqual(["documentation", "docs"]);
    await program.post("/api/v1/tags", { label: "Documentation" });
    expect((await create({ tags: ["DOCUMENTATION"] }, program)).tags).toEqual(["documentation"]);
    await program.patch("/api/v1/tags?key=documentation", { label: "Guides" });
    for (const tag of ["documentation", "Documentation"]) expect((await create({ tags: [tag] }, program)).tags).toEqual(["guides"]);
  });

  test("names a new tag as given, like the app; an existing key stays a key", async () => {
    const acme = await newTeam();
    const program = (await newKey(acme.owner, acme.workspaceId)).api;
    const tag = async (key: string) => (await tagsOf(program)).find((one) => one.key === key);
    expect((await create({ tags: ["Performance  Boost", "api-v2"] }, program)).tags).toEqual(["performance-boost", "api-v2"]);
    expect(await tag("performance-boost")).toEqual({ key: "performance-boost", label: "Performance Boost", colour: "blue", posts: 1 });
    expect(await tag("api-v2")).toEqual({ key: "api-v2", label: "api-v2", colour: "gray", posts: 1 });
    await put("t2", { ...draft, tags: ["API v2", "PERFORMANCE BOOST"] }, {}, program);
    expect([await tag("api-v2"), await tag("performance-boost")]).toMatchObject([{ label: "API v2" }, { label: "Performance Boost" }]);
    await program.patch("/api/v1/tags?key=performance-boost", { label: "Speed" });
    await program.delete("/api/v1/tags?key=api-v2");
    expect((await create({ tags: ["Performance Boost", "API v2"] }, program)).tags).toEqual(["speed"]);
    expect((await put("t2", { ...draft, tags: ["Never"] }, { "if-none-match": "*" }, program)).status).toBe(409);
    expect((await tagsOf(program)).map(({ key }) => key)).toEqual(["feature", "improvement", "fix", "docs", "speed"]);
  });
});

describe("a release sent by CI", () => {
  const release = { title: "Version 2", markdown: "- faster\n- smaller", tags: ["feature"], status: "published" };

  test("twice is one post, one version, and one event", async () => {
    const name = `v2.0.0-${randomUUID()}`;
    const first = await put(name, release);
    expect(first.status).toBe(201);
    expect(first.body.post).toMatchObject({ external_id: name, status: "published", version: 1, tags: ["feature"] });
    const again = await put(name, release);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(await events(first.body.post.id)).toBe(1);
    expect((await api.get(named(name))).body).toEqual(first.body);
  });

  test("by two concurrent jobs is one post and one publication", async () => {
    const name = `v2.1.0-${randomUUID()}`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => put(name, { ...release, slug: `s-${name.slice(-12)}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    const ids = new Set(answers.map(({ body }) => body.post.id));
    expect(ids.size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.post.version))).toEqual(new Set([1]));
    expect(await events([...ids][0]!)).toBe(1);
  });

  test("with another text is the same post in its next version", async () => {
    const name = `v3-${randomUUID()}`;
    const { post } = (await put(name, { ...release, status: undefined })).body;
    expect(post.status).toBe("draft");
    const changed = await put(name, { ...release, title: "Version 3", slug: post.slug });
    expect(changed.body.post).toMatchObject({ id: post.id, title: "Version 3", slug: post.slug, version: 2, status: "published" });
    expect((await put(name, { title: "Version 3", markdown: "- faster\n- smaller" })).body).toEqual(changed.body);
  });

  test("changes the given fields and keeps the rest, its content too; a new one needs a title and content", async () => {
    const name = `v3-${randomUUID()}`;
    const { post } = (await put(name, { ...release, summary: "In short." })).body;
    const tagged = await put(name, { tags: ["fix"] });
    expect(tagged).toMatchObject({
      status: 200,
      body: { post: { ...post, tags: ["fix"], version: 2, updated_at: expect.any(String) as string } },
    });
    const told = { title: "Version 3", summary: "Shorter." };
    expect((await put(name, told)).body.post).toMatchObject({
      ...told,
      markdown: post.markdown,
      tags: ["fix"],
      version: 3,
      status: "published",
    });
    expect((await put(name, { markdown: "- other" })).body.post).toMatchObject({ ...told, markdown: "- other", version: 4 });
    expect((await put(name, {})).body.post.version).toBe(4);
    expect((await put(name, { tags: [] }, { "if-match": '"v3"' })).status).toBe(409);

    const nobodys = `v3-${randomUUID()}`;
    for (const [body, ...fields] of [
      [{ tags: ["fix"] }, "title", "markdown"],
      [{ status: "published" }, "title", "markdown"],
      [told, "markdown"],
      [{ markdown: "words" }, "title"],
      [{ blocks: [{ type: "paragraph", data: { text: "words" } }] }, "title"],
    ] as [object, ...string[]][])
      expect(refusal(await put(nobodys, body))).toEqual(invalid(...fields));
    expect(refusal(await put(nobodys, { tags: [] }, { "if-match": '"v1"' }))).toMatchObject({ status: 404 });
    expect((await api.get(named(nobodys))).status).toBe(404);
  });

  test("with If-None-Match: * is created only if it doesn't exist", async () => {
    const name = `v7-${randomUUID()}`;
    expect((await put(name, draft, { "if-none-match": "*" })).status).toBe(201);
    expect(await put(name, draft, { "if-none-match": "*" })).toMatchObject({
      status: 409,
      body: { code: "version_conflict", conflict: { version: 1 } },
    });
    expect(refusal(await put(`v7-${randomUUID()}`, draft, { "if-match": '"v1"' }))).toMatchObject({ status: 404 });
  });
});

describe("conditional requests", () => {
  let post: V1Post;
  beforeEach(async () => {
    post = await create();
  });
  const change = (ifMatch: string, body: object = { title: "Changed" }) =>
    api.patch(`/api/v1/posts/${post.id}`, body, { headers: { "if-match": ifMatch } });

  const ask = (known?: string, accept = "application/json", program = api) =>
    fetch(`${program.url}/api/v1/posts/${post.id}`, {
      headers: { authorization: `Bearer ${program.token!}`, accept, ...(known !== undefined && { "if-none-match": known }) },
    });
  const etagOf = ({ headers }: { headers: Headers }) => headers.get("etag")!.replace(/^W\//, "");

  test("use an ETag that starts with the version, and answer 304 without a body", async () => {
    const etag = etagOf(await ask());
    expect(etag).toMatch(/^"v1\.[\w-]{12}"$/);
    for (const tags of [etag, `W/${etag}`, `"v0", ${etag}`, "*"]) {
      const again = await ask(tags);
      expect([again.status, await again.text(), etagOf(again)]).toEqual([304, "", etag]);
    }
    for (const tags of ['"v1"', etag.replace("v1", "v2"), '"v2"']) expect((await ask(tags)).status).toBe(200);
    expect(etagOf(await change("*", { title: "Changed" }))).toBe(etagOf(await ask()));
  });

  test("with a stale If-Match are refused with the current version, and change nothing", async () => {
    expect(etagOf(await change('"v1"'))).toMatch(/^"v2\./);
    for (const send of [
      () => change('"v1"', { title: "Too late" }),
      () => api.post(`/api/v1/posts/${post.id}/publish`, {}, { headers: { "if-match": '"v1"' } }),
      () => api.post(`/api/v1/posts/${post.id}/archive`, {}, { headers: { "if-match": 'W/"v9"' } }),
    ]) {
      expect(await send()).toMatchObject({
        status: 409,
        body: {
          code: "version_conflict",
          conflict: { version: 2, updated_by_name: "Olive Owner (Robot)", updated_at: expect.any(String) as string },
        },
      });
    }
    expect(await read(post.id)).toMatchObject({ title: "Changed", version: 2, status: "draft" });
    expect((await change("*")).status).toBe(200);
  });
});

test("with Accept: text/markdown get a file with front matter", async () => {
  const { id } = await create({ title: 'Say "hi": now', tags: ["fix"], status: "published", markdown: "# One\n\ntwo" });
  const ask = async (accept: string) => {
    const answer = await fetch(`${api.url}/api/v1/posts/${id}`, { headers: { authorization: `Bearer ${api.token!}`, accept } });
    return { type: answer.headers.get("content-type"), text: await answer.text(), vary: answer.headers.get("vary") };
  };
  const { type, text, vary } = await ask("text/markdown");
  expect([type, vary]).toEqual(["text/markdown; charset=utf-8", expect.stringMatching(/accept/i)]);
  expect(text).toMatch(/^---\ntitle: "Say \\"hi\\": now"\ndate: "\d{4}-/);
  expect(text).toContain('\ntags: ["fix"]\nauthor: "Olive Owner"\nurl: "http');
  expect(text).toMatch(/\n---\n\n#{1,2} One\n\ntwo\n$/);
  expect((await ask("text/markdown;q=0.5, application/json")).type).toBe("application/json");
  expect((await ask("*/*")).type).toBe("application/json");
});

describe("the API's list of posts", () => {
  let many: Client;
  let owner: Team;
  let ids: string[];
  beforeAll(async () => {
    owner = await newTeam();
    many = (await newKey(owner.owner, owner.workspaceId)).api;
    ids = [];
    for (const n of [1, 2, 3, 4, 5, 6, 7]) {
      const { id } = await create({ title: `Post ${n}`, tags: n % 2 ? ["fix"] : ["feature"], status: n > 5 ? "published" : "draft" }, many);
      ids.unshift(id);
    }
    await many.post(`/api/v1/posts/${ids[0]!}/archive`);
  });

  const list = async (query: string) => as(v1PostEndpoints.list, await many.get(`/api/v1/posts?${query}`));
  async function walk(query: string): Promise<string[]> {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const piece: Awaited<ReturnType<typeof list>> = await list(`${query}${cursor === null ? "" : `&cursor=${cursor}`}`);
      expect(piece.posts.length).toBeLessThanOrEqual(2);
      seen.push(...piece.posts.map(({ id }) => id));
      cursor = piece.next_cursor;
    } while (cursor !== null);
    return seen;
  }

  test("has pages sorted by last edit, without archived posts and content", async () => {
    expect(await walk("limit=2")).toEqual(ids.slice(1));
    const { posts } = await list("limit=1");
    expect(posts[0]).toMatchObject({ title: "Post 6", status: "published", excerpt: "Search is twice as fast." });
    expect(posts[0]).not.toHaveProperty("markdown");
  });

  test("since a time is in reverse order, includes archived posts, and misses no concurrent edit", async () => {
    const all = (await list("limit=50")).posts;
    const since = encodeURIComponent(all.find(({ id }) => id === ids[3])!.updated_at);
    expect(await walk(`limit=2&updated_since=${since}`)).toEqual([ids[3], ids[2], ids[1], ids[0]]);
    expect(await walk(`limit=2&updated_since=${since}&status=draft`)).toEqual([ids[3], ids[2]]);
    const first = await list(`limit=2&updated_since=${since}`);
    await many.patch(`/api/v1/posts/${ids[3]!}`, { title: "Edited while it was read" });
    const rest = await list(`limit=50&updated_since=${since}&cursor=${first.next_cursor!}`);
    expect(rest.posts.map(({ id }) => id)).toEqual([ids[1], ids[0], ids[3]]);
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=x", "limit"],
    ["status=gone", "status"],
    ["updated_since=yesterday", "updated_since"],
    ["cursor=x", "cursor"],
    ["cursor=bnVsbA", "cursor"],
    [`cursor=${btoa('{"at":"2024-01-01T00:00:00Z","id":"1"}')}`, "cursor"],
    [`cursor=${btoa('{"at":"2024-01-01T00:00:00Z","id":"00000000-0000-4000-8000-000000000000","x":1}')}`, "cursor"],
    ["page=2", "page"],
  ])("with %s is refused at the field", async (query, field) => {
    expect(refusal(await many.get(`/api/v1/posts?${query}`))).toEqual(invalid(field));
  });
});

describe("the API refuses with the field's name", () => {
  const future = new Date(Date.now() + 86_400_000).toISOString();
  test.each<[string, object, string]>([
    ["no title", { title: undefined }, "title"],
    ["a blank title", { title: "  " }, "title"],
    ["a long title", { title: "x".repeat(120) }, "title"],
    ["no content", { markdown: undefined }, "markdown"],
    ["empty content", { markdown: " \n" }, "markdown"],
    ["content twice", { blocks: [] }, "markdown"],
    ["content that isn't a string", { markdown: 7 }, "markdown"],
    ["Markdown without a word", { markdown: "<script>alert(1)</script>" }, "markdown"],
    ["too much Markdown", { markdown: "x".repeat(600_000) }, "markdown"],
    ["invalid blocks", { markdown: undefined, blocks: "text" }, "blocks"],
    ["an unknown field", { titel: "x" }, "titel"],
    ["an unknown status", { status: "archived" }, "status"],
    ["a schedule without a time", { status: "scheduled" }, "publish_at"],
    ["a time for a draft", { status: "draft", publish_at: future }, "publish_at"],
    ["a time for a published post", { status: "published", publish_at: future }, "publish_at"],
    ["a past time", { status: "scheduled", publish_at: "2020-01-01T00:00:00Z" }, "publish_at"],
    ["a date of a draft", { published_at: "2020-01-01T00:00:00Z" }, "published_at"],
    ["a date ahead", { status: "published", published_at: future }, "published_at"],
    ["an invalid slug", { slug: "A b" }, "slug"],
    ["a long tag", { tags: ["x".repeat(41)] }, "tags.0"],
    ["many tags", { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, "tags"],
    ["notify that isn't a boolean", { notify: "yes" }, "notify"],
  ])("%s", async (_, fields, field) => {
    const before = (await sql`select count(*)::int as n from public.posts where workspace_id = ${team.workspaceId}`)[0]!.n as number;
    const body = { ...draft, ...fields };
    expect(refusal(await api.post("/api/v1/posts", body))).toEqual(invalid(field));
    expect(refusal(await put(`x-${randomUUID()}`, body))).toEqual(invalid(field));
    expect((await sql`select count(*)::int as n from public.posts where workspace_id = ${team.workspaceId}`)[0]!.n).toBe(before);
  });

  test("a malformed id, and an unknown one", async () => {
    for (const id of ["1", randomUUID(), "by-external-id"])
      for (const answer of [await api.get(`/api/v1/posts/${id}`), await api.patch(`/api/v1/posts/${id}`, { title: "x" })])
        expect(refusal(answer)).toMatchObject({ status: 404, code: "not_found" });
  });

  test("a body that isn't JSON, too long, or of another type", async () => {
    const send = (body: string, type = "application/json") => api.post("/api/v1/posts", body, { headers: { "content-type": type } });
    expect(refusal(await send("{"))).toMatchObject({ status: 422, code: "invalid_json" });
    expect(refusal(await send(JSON.stringify({ ...draft, markdown: "x".repeat(2_200_000) })))).toMatchObject({
      status: 413,
      code: "body_too_large",
    });
    expect(refusal(await send("title=x", "application/x-www-form-urlencoded"))).toMatchObject({
      status: 415,
      code: "unsupported_media_type",
    });
  });
});

describe("an error", () => {
  test("under /api/v1 is also a problem in the sense of RFC 9457", async () => {
    const answer = await api.post("/api/v1/posts", { markdown: "x" });
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(problem.safeParse(answer.body).error).toBeUndefined();
    expect(answer.body).toMatchObject({ status: 422, code: "validation_failed", detail: "Title is required" });
    expect(answer.body).toMatchObject({ title: "Please check the highlighted fields.", fields: { title: "Title is required" } });
  });

  test("elsewhere is one only for callers who accept it", async () => {
    const type = async (accept: string) => (await fetch(`${url}/api/unknown`, { headers: { accept } })).headers.get("content-type");
    expect(await type("application/problem+json")).toBe("application/problem+json");
    expect(await type("application/json")).toMatch(/^application\/json/);
  });

  test("about a key says so", async () => {
    const answer = await new Client(url, "tdk_mistyped").get("/api/v1/key");
    expect(answer.body).toMatchObject({ code: "unauthenticated", error: "This isn't a valid API key: it's incomplete or mistyped." });
  });
});

test("other sites can't read responses, as a key doesn't belong in a page", async () => {
  const headers = {
    origin: "https://evil.example",
    "access-control-request-method": "GET",
    "access-control-request-headers": "authorization",
  };
  const asked = await fetch(`${api.url}/api/v1/posts`, { method: "OPTIONS", headers });
  const answer = await api.get("/api/v1/posts", { headers: { origin: "https://evil.example" } });
  for (const { headers } of [asked, answer]) expect(headers.get("access-control-allow-origin")).toBeNull();
});
