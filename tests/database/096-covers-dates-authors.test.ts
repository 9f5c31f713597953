import { describe, expect } from "vitest";
import { refused } from "./support/refusal.ts";
import { inDays, type PostRow, words, type World, test } from "./support/world.ts";

type Saved = PostRow & { cover_image: unknown; published_at: Date | null; author_id: string | null; author_name: string | null };
const save = async ({ as }: World, post: { id: string }, patch: object) =>
  (await as("editor", (me) => me<Saved[]>`select * from public.save_post(${post.id}, ${patch as never})`))[0]!;
const stored = (workspace: string) => `/storage/v1/object/public/post-images/${workspace}/5b6a0f6e-8a51-4f0e-9d32-3f0f5c1f2a10.png`;
const wrong = (field: string, sentence: string) => ({ code: "validation_failed", detail: { [field]: sentence } });
const kinds = async ({ tx }: World, post: { id: string }) =>
  (await tx`select kind from public.activities where post_id = ${post.id} order by id`).map((row) => row.kind as string);

describe("a post's cover image", () => {
  const refusal = wrong("cover_image", "Please choose an image of this post, or add one");

  test("is an uploaded image of its workspace, null, or the text's first image", async ({ world }) => {
    const post = await world.post();
    const url = stored(world.acme);
    const chosen = { url, alt: "  A\n menu ", width: 640, height: 360, evil: "<script>" };
    expect(await save(world, post, { cover_image: chosen })).toMatchObject({
      version: 2,
      cover_image: { url, alt: "A menu", width: 640, height: 360 },
    });
    expect(await save(world, post, { title: "Other" })).toMatchObject({ version: 3, cover_image: { url } });
    expect(await save(world, post, { cover_image: "none" })).toMatchObject({ version: 4, cover_image: "none" });
    expect(await save(world, post, { cover_image: null })).toMatchObject({ version: 5, cover_image: null });
  });

  test("can be an external image that the text shows, and stays when the text drops it", async ({ world }) => {
    const url = "https://cdn.example/a.png";
    const image = { blocks: [{ type: "image", data: { file: { url }, caption: "" } }] };
    const post = await world.post({ content_raw: image });
    expect(await save(world, post, { cover_image: { url, alt: "" } })).toMatchObject({ cover_image: { url, alt: "" } });
    expect(await save(world, post, { content_raw: words("No image.") })).toMatchObject({ cover_image: { url } });
  });

  test("rejects URLs of another workspace or site, and scripts", async ({ world }) => {
    const post = await world.post();
    for (const url of [stored(world.globex), "https://evil.example/x.png", "javascript:alert(1)", `${stored(world.acme)}?a=../b`]) {
      expect(await refused(save(world, post, { cover_image: { url, alt: "" } }))).toMatchObject(refusal);
    }
    expect(await save(world, post, { cover_image: { alt: "no address" } })).toMatchObject({ cover_image: null, version: 1 });
  });

  test("is part of a version, restored with it, and keeps its file from being deleted", async ({ world }) => {
    const post = await world.post();
    const url = stored(world.acme);
    await save(world, post, { cover_image: { url, alt: "" } });
    await save(world, post, { cover_image: "none" });
    const [restored] = await world.as("editor", (me) => me<Saved[]>`select * from public.restore_revision(${post.id}, 2)`);
    expect(restored).toMatchObject({ version: 4, cover_image: { url } });
    const images = await world.tx`select path from private.post_images where post_id = ${post.id}`;
    expect(images.map((row) => row.path as string)).toEqual([url.replace("/storage/v1/object/public/post-images/", "")]);
  });
});

describe("a publication date", () => {
  test("can be moved back by those who can publish, and is logged", async ({ world }) => {
    const post = await world.post({ status: "published" });
    const past = inDays(-30);
    const saved = await save(world, post, { published_at: past.toISOString() });
    expect(saved).toMatchObject({ version: 2, published_at: past, slug: post.slug, status: "published" });
    expect(await kinds(world, post)).toEqual(["post_published", "post_date_changed"]);
    const [revision] = await world.tx`select published_at from public.post_revisions where post_id = ${post.id} and version = 2`;
    expect(revision!.published_at).toEqual(past);
    expect(await save(world, post, { published_at: past.toISOString() })).toMatchObject({ version: 2 });
  });

  test("can be given when publishing a draft or a new post", async ({ world }) => {
    const past = inDays(-400);
    const post = await world.post();
    expect(await save(world, post, { status: "published", published_at: past.toISOString() })).toMatchObject({ published_at: past });
    const [made] = await world.as(
      "editor",
      (me) =>
        me<
          Saved[]
        >`select * from public.create_post(${world.acme}, 'Old', ${words("x") as never}, status => 'published', published_at => ${past})`,
    );
    expect(made).toMatchObject({ status: "published", published_at: past });
  });

  test("is never in the future, and exists only for a published post", async ({ world }) => {
    const post = await world.post({ status: "published" });
    const ahead = wrong("published_at", "Please choose a time in the past");
    for (const at of [inDays(1).toISOString(), "infinity", "-infinity", "1800-01-01T00:00:00Z"]) {
      expect(await refused(save(world, post, { published_at: at }))).toMatchObject(ahead);
    }
    const past = inDays(-1).toISOString();
    const none = wrong("published_at", "Only a published post has a date of publication");
    expect(await refused(save(world, await world.post(), { published_at: past }))).toMatchObject(none);
    expect(await refused(save(world, await world.post({ publish_at: inDays(3) }), { published_at: past }))).toMatchObject(none);
    await save(world, post, { status: "archived" });
    expect(await refused(save(world, post, { published_at: past }))).toMatchObject({ code: "archived_post_locked" });
  });

  test("sets the order for readers (lists, months, neighbours) and invalidates their caches", async ({ world }) => {
    await world.tx`update public.workspaces set public_changelog_enabled = true where id = ${world.acme}`;
    const [{ subdomain } = { subdomain: "" }] = await world.tx<{ subdomain: string }[]>`
        select subdomain from public.workspaces where id = ${world.acme}`;
    const first = await world.post({ title: "First", status: "published" });
    await world.post({ title: "Second", status: "published" });
    const read = async () => ({
      titles: (await world.tx`select title from private.list_releases(${subdomain})`).map((row) => row.title as string),
      version: (await world.tx`select private.public_version(${subdomain}) as tag`)[0]!.tag as string,
      months: (await world.tx`select month from private.release_months(${subdomain})`).length,
    });
    const before = await read();
    expect(before).toMatchObject({ titles: ["Second", "First"], months: 1 });
    const second = (await world.tx`select id from public.posts where title = 'Second' and workspace_id = ${world.acme}`)[0]!.id as string;
    await save(world, { id: second }, { published_at: inDays(-90).toISOString() });
    const after = await read();
    expect(after).toMatchObject({ titles: ["First", "Second"], months: 2 });
    expect(after.version).not.toBe(before.version);
    const [neighbours] = await world.tx`select * from private.release_neighbours(${subdomain}, ${first.id})`;
    expect(neighbours).toMatchObject({ older_title: "Second", newer_title: null });
  });
});

describe("a post's public author", () => {
  test("is a member of the workspace, by the current name, and is logged", async ({ world }) => {
    const post = await world.post({ status: "published" });
    const { viewer, owner } = world.people;
    expect(await save(world, post, { author_id: viewer })).toMatchObject({ version: 2, author_id: viewer, author_name: "viewer" });
    expect(await kinds(world, post)).toEqual(["post_published", "post_author_changed"]);
    const names =
      await world.tx`select post_author_name, author_name from public.post_revisions where post_id = ${post.id} order by version`;
    expect(names.map((row) => [row.post_author_name, row.author_name])).toEqual([
      ["owner", "owner"],
      ["viewer", "editor"],
    ]);
    expect(await save(world, post, { author_id: null })).toMatchObject({ version: 3, author_id: owner, author_name: "owner" });
    expect(await save(world, post, { author_id: owner })).toMatchObject({ version: 3 });
  });

  test("can't be from outside the workspace", async ({ world }) => {
    const post = await world.post();
    const refusal = wrong("author_id", "Please choose a member of this workspace");
    for (const person of ["rival", "stranger"] as const)
      expect(await refused(save(world, post, { author_id: world.people[person] }))).toMatchObject(refusal);
    const fresh = world.as(
      "editor",
      (me) => me`select public.create_post(${world.acme}, 'New', ${words("x") as never}, author_id => ${world.people.rival})`,
    );
    expect(await refused(fresh)).toMatchObject(refusal);
  });
});
