import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { v1ImageEndpoints } from "#contract/v1/images.ts";
import { v1PostEndpoints } from "#contract/v1/posts.ts";
import { v1StatsEndpoints } from "#contract/v1/stats.ts";
import { v1SubscriberEndpoints } from "#contract/v1/subscribers.ts";
import { v1TagEndpoints } from "#contract/v1/tags.ts";
import { type Answer, as, Client } from "./support/client.ts";
import { pictures } from "./support/images.ts";
import { countViews } from "../support/counts.ts";
import { newKey, newPost, newSubscriber, newTeam, sql, type Team } from "./support/people.ts";

const { url } = inject("stack");

let team: Team;
let api: Client;
beforeAll(async () => {
  team = await newTeam();
  api = (await newKey(team.owner, team.workspaceId)).api;
});

const refusal = ({ status, body }: Answer) => ({ status, code: body.code, fields: Object.keys(body.fields ?? {}) });
const invalid = (...fields: string[]) => ({ status: 422, code: "validation_failed", fields });

describe("tags", () => {
  const list = async () => as(v1TagEndpoints.list, await api.get("/api/v1/tags")).tags;

  test("are added, renamed, merged and deleted, and posts follow", async () => {
    expect(as(v1TagEndpoints.create, await api.post("/api/v1/tags", { label: "Big News", colour: "red" })).tag).toEqual({
      key: "big-news",
      label: "Big News",
      colour: "red",
    });
    const { id } = await newPost(team.editor, team.workspaceId, { tags: ["big-news", "loose one"] });
    expect(await list()).toEqual(
      expect.arrayContaining([
        { key: "fix", label: "Fix", colour: "orange", posts: 0 },
        { key: "big-news", label: "Big News", colour: "red", posts: 1 },
        { key: "loose one", label: "loose one", colour: "gray", posts: 1 },
      ]),
    );
    const renamed = as(v1TagEndpoints.change, await api.patch("/api/v1/tags?key=big-news", { label: "Headlines" }));
    expect(renamed).toEqual({ tag: { key: "headlines", label: "Headlines", colour: "red" }, posts: 1 });
    expect(as(v1TagEndpoints.merge, await api.post("/api/v1/tags/merge", { key: "headlines", into: "feature" })).posts).toBe(1);
    expect(as(v1TagEndpoints.remove, await api.delete(`/api/v1/tags?key=${encodeURIComponent("loose one")}`))).toEqual({
      success: true,
      posts: 1,
    });
    expect(as(v1PostEndpoints.read, await api.get(`/api/v1/posts/${id}`)).post).toMatchObject({ tags: ["feature"], version: 1 });
    expect((await list()).map(({ key }) => key)).not.toContain("headlines");
  });

  test.each<[string, string, object | undefined, string]>([
    ["POST", "", { label: " " }, "label"],
    ["POST", "", { label: "x".repeat(41) }, "label"],
    ["POST", "", { label: "a", colour: "pink" }, "colour"],
    ["POST", "", { label: "a", color: "red" }, "color"],
    ["PATCH", "?key=fix", {}, "label"],
    ["PATCH", "", { label: "a" }, "key"],
    ["PATCH", "?key=fix", { label: "a" }, "key"],
    ["DELETE", "", undefined, "key"],
    ["DELETE", "?key=fix", undefined, "key"],
    ["DELETE", "?key=a&purge=1", undefined, "purge"],
    ["POST", "/merge", { key: "a" }, "into"],
    ["POST", "/merge", { key: "fix", into: "fix" }, "into"],
  ])("%s /tags%s %j is refused at the field", async (method, path, body, field) => {
    expect(refusal(await api.send(method, `/api/v1/tags${path}`, { body }))).toEqual(invalid(field));
  });
});

describe("images", () => {
  const send = (body: Uint8Array, type: string, program = api) =>
    program.post("/api/v1/images", body, { headers: { "content-type": type } });

  test("are uploaded as the raw body, and shown by a post that references them", async () => {
    const { image } = as(v1ImageEndpoints.upload, await send(pictures.png, "image/png"));
    const { width, height } = image;
    expect(image.markdown).toBe(`![](${image.url})<!-- tidings {"file":{"width":${width},"height":${height}}} -->`);
    expect(image.url.startsWith(`${api.url}/storage/v1/object/public/post-images/${team.workspaceId}/`)).toBe(true);
    const kept = await fetch(image.url);
    expect([kept.status, kept.headers.get("content-type")]).toEqual([200, "image/png"]);
    const made = as(v1PostEndpoints.create, await api.post("/api/v1/posts", { title: "Seen", markdown: image.markdown })).post;
    // Stored without our origin, so that a purge matches it, and returned with it.
    expect(made.blocks).toMatchObject([{ type: "image", data: { file: { url: image.url.slice(api.url.length), width, height } } }]);
    expect(made.markdown).toContain(image.url);
    expect(await sql`select path from private.post_images where post_id = ${made.id}`).toEqual([
      { path: image.url.split("/post-images/")[1] },
    ]);
  });

  test("are uploaded as a form's file", async () => {
    expect((await api.upload("/api/v1/images", pictures.jpeg, "p.jpg", "image/jpeg")).status).toBe(201);
  });
});

describe("subscribers", () => {
  test("are listed by address, in pages", async () => {
    const emails = ["a", "b", "c", "d", "e"].map((name) => `${name}-${randomUUID()}@reader.example`);
    for (const email of emails) await newSubscriber(team.workspaceId, email);
    const list = async (query: string) => as(v1SubscriberEndpoints.list, await api.get(`/api/v1/subscribers?q=reader.example&${query}`));
    const first = await list("limit=3");
    const rest = await list(`limit=3&cursor=${first.next_cursor!}`);
    expect([...first.subscribers, ...rest.subscribers].map(({ email }) => email)).toEqual(emails);
    expect(rest.next_cursor).toBeNull();
    expect((await list("status=pending")).subscribers).toEqual([]);
    for (const [query, field] of [
      ["limit=0", "limit"],
      ["cursor=x", "cursor"],
      ["page=2", "page"],
      ["status=gone", "status"],
    ])
      expect(refusal(await api.get(`/api/v1/subscribers?${query!}`))).toEqual(invalid(field!));
  });

  test("are added by confirmation email, and removed", async () => {
    await sql`insert into public.mail_settings (workspace_id, enabled) values (${team.workspaceId}, true)
      on conflict (workspace_id) do update set enabled = true`;
    const email = `new-${randomUUID()}@reader.example`;
    const added = as(v1SubscriberEndpoints.add, await api.post("/api/v1/subscribers", { email, tags: ["fix"] }));
    expect(added).toMatchObject({ added: true, subscriber: { email, status: "pending", tags: ["fix"], frequency: "instant" } });
    expect(as(v1SubscriberEndpoints.add, await api.post("/api/v1/subscribers", { email })).added).toBe(false);
    const path = `/api/v1/subscribers/${added.subscriber.id}`;
    expect(as(v1SubscriberEndpoints.remove, await api.delete(`${path}?erase=true`))).toEqual({ success: true });
    expect(refusal(await api.delete(path))).toMatchObject({ status: 404 });
    expect(refusal(await api.post("/api/v1/subscribers", { email }))).toEqual(invalid("email"));
    expect(refusal(await api.post("/api/v1/subscribers", { email: "nobody" }))).toEqual(invalid("email"));
    expect(refusal(await api.post("/api/v1/subscribers", { email: "a@reader.example", name: "A" }))).toEqual(invalid("name"));
  });

  test("are added in bulk, again without effect, and counted", async () => {
    const own = await newTeam();
    const program = (await newKey(own.owner, own.workspaceId)).api;
    const subscribers = ["a@reader.example", "b@reader.example", "nobody"].map((email) => ({ email }));
    const add = async () =>
      as(v1SubscriberEndpoints.addMany, await program.post("/api/v1/subscribers/bulk", { subscribers, declared: true }));
    expect(await add()).toEqual({ added: 2, known: 0, refused: 0, invalid: [2] });
    expect(await add()).toMatchObject({ added: 0, known: 2 });
    expect(as(v1SubscriberEndpoints.list, await program.get("/api/v1/subscribers?limit=1&total=true"))).toMatchObject({ total: 2 });
    await newPost(own.editor, own.workspaceId, { tags: ["fix"] });
    const posts = async (query: string) => as(v1PostEndpoints.list, await program.get(`/api/v1/posts?${query}`)).total;
    expect([await posts("total=true&tag=fix"), await posts("total=true&status=published"), await posts("")]).toEqual([1, 0, undefined]);
  });
});

test("numbers match the app's: views with the analytics add-on only", async () => {
  const own = await newTeam();
  const program = (await newKey(own.owner, own.workspaceId, { scopes: ["stats:read"] })).api;
  const { id } = await newPost(own.editor, own.workspaceId, { title: "Read", status: "published" });
  await newPost(own.editor, own.workspaceId);
  await newSubscriber(own.workspaceId);
  await countViews(sql, own.workspaceId, id, 7);
  const stats = async () => as(v1StatsEndpoints.read, await program.get("/api/v1/stats"));
  expect(await stats()).toEqual({
    posts: { draft: 1, scheduled: 0, published: 1, archived: 0 },
    subscribers: { active: 1, pending: 0, paused: 0, left: 0, suppressed: 0 },
    views: null,
    analytics: null,
  });
  await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${own.workspaceId}, 'analytics')`;
  expect((await stats()).views).toEqual({ total: 7, posts: [{ id, title: "Read", views: 7 }] });
  expect(refusal(await program.get("/api/v1/stats?days=7"))).toEqual(invalid("days"));
  expect(await program.get("/api/v1/tags")).toMatchObject({ status: 403, body: { scope: "posts:read" } });
});

test("a user's session isn't a key, and a key isn't a session", async () => {
  expect(refusal(await team.owner.api.get("/api/v1/posts"))).toMatchObject({ status: 401, code: "unauthenticated" });
  expect(refusal(await api.get("/api/workspaces"))).toMatchObject({ status: 401, code: "unauthenticated" });
  expect(refusal(await new Client(url).get("/api/v1/posts"))).toMatchObject({ status: 401, code: "unauthenticated" });
});
