import { describe, expect } from "vitest";
import { slug } from "#contract/rules/slug.ts";
import { slugCases } from "../support/slug-cases.ts";
import { connect } from "./support/database.ts";
import { outcome, refused } from "./support/refusal.ts";
import { inDays, type PostRow, type World, test, testEach } from "./support/world.ts";

const sql = connect();
const change = async ({ as }: World, post: PostRow, set: Record<string, unknown>) =>
  (await as("editor", (me) => me<PostRow[]>`update public.posts set ${me(set as never)} where id = ${post.id} returning *`))[0]!;
const history = async ({ tx }: World, post: PostRow) =>
  (await tx`select slug from public.post_slugs where post_id = ${post.id} order by created_at, slug`).map((row) => row.slug);

describe("the database makes slugs by the same table as contract/rules/slug", () => {
  const more = [
    "Crème brûlée à l'œuf",
    "v2.0 — faster!",
    "100% more",
    "C++ / C#",
    "İstanbul",
    "ﬁne ligature",
    "½ price",
    "under_score",
    "don’t",
    `${"word ".repeat(23)}end`,
  ];
  test.each([...slugCases, ...more.map((title) => [title, slug(title)] as const)])("slugify turns %j into %s", async (title, expected) => {
    const [row] = await sql`select private.slugify(${title}) as slug`;
    expect(row!.slug).toBe(expected);
  });
});

describe("a slug is unique in its workspace", () => {
  test("a repeated title gets -2, then -3; other workspaces are independent", async ({ world: { post, globex } }) => {
    expect([(await post()).slug, (await post()).slug, (await post()).slug, (await post({ workspace_id: globex })).slug]).toEqual([
      "dark-mode",
      "dark-mode-2",
      "dark-mode-3",
      "dark-mode",
    ]);
  });

  test("a title that looks like a numbered one takes its number", async ({ world: { post } }) => {
    expect([(await post({ title: "Dark mode 2" })).slug, (await post()).slug, (await post()).slug]).toEqual([
      "dark-mode-2",
      "dark-mode",
      "dark-mode-3",
    ]);
  });

  test("a purge releases its slugs", async ({ world }) => {
    await world.tx`delete from public.posts where id = ${(await world.post()).id}`;
    expect((await world.post()).slug).toBe("dark-mode");
  });
});

describe("before the first publication, a slug", () => {
  test("follows the title, and the earlier ones stay reserved", async ({ world }) => {
    const post = await world.post();
    expect((await change(world, post, { title: "Night mode" })).slug).toBe("night-mode");
    expect((await change(world, post, { title: "Dark mode" })).slug).toBe("dark-mode");
    expect(await history(world, post)).toEqual(["dark-mode", "night-mode"]);
    expect((await world.post({ title: "Night mode" })).slug).toBe("night-mode-2");
  });

  test("stays when it was chosen by hand", async ({ world }) => {
    const { id } = await world.post({ publish_at: inDays(1) });
    const save = (patch: object) => world.as("editor", (me) => me<PostRow[]>`select slug from public.save_post(${id}, ${patch as never})`);
    expect(await save({ title: "Night mode", slug: "dark-mode" })).toEqual([{ slug: "dark-mode" }]);
    expect(await save({ title: "Dusk mode" })).toEqual([{ slug: "dark-mode" }]);
  });

  test("keeps its number when the title changes slightly", async ({ world }) => {
    await world.post();
    const second = await world.post();
    expect((await change(world, second, { title: "Dark mode!" })).slug).toBe("dark-mode-2");
  });

  test("follows the title in the publishing save and while scheduled", async ({ world }) => {
    const scheduled = await world.post({ publish_at: inDays(1) });
    expect((await change(world, scheduled, { title: "Night mode" })).slug).toBe("night-mode");
    expect((await change(world, scheduled, { title: "Dusk mode", status: "published" })).slug).toBe("dusk-mode");
  });
});

describe("after the first publication, a slug", () => {
  test("stays when the title changes, also when archived and restored", async ({ world }) => {
    const post = await world.post({ status: "published" });
    expect((await change(world, post, { title: "Night mode" })).slug).toBe("dark-mode");
    await change(world, post, { status: "archived" });
    await change(world, post, { status: "draft" });
    expect((await change(world, post, { title: "Dusk mode" })).slug).toBe("dark-mode");
  });

  test("can be changed by hand, and the old one redirects", async ({ world }) => {
    const post = await world.post({ status: "published" });
    const changed = await change(world, post, { slug: "Darkness" });
    expect(changed).toMatchObject({ slug: "darkness", version: post.version + 1 });
    expect(await history(world, post)).toEqual(["dark-mode", "darkness"]);
  });

  test("can't be changed to one that another post has or had", async ({ world }) => {
    const other = await world.post({ title: "Taken" });
    await change(world, other, { title: "Moved on" });
    const post = await world.post({ status: "published" });
    for (const slug of ["taken", "moved-on"]) expect(await outcome(change(world, post, { slug }))).toBe("slug_taken");
  });

  testEach(["", "a_b", "a--b", "-a", "ä", "x".repeat(81), "a/b", "feed.xml"])("can't be changed to %j", async (world, wrong) => {
    expect(await refused(change(world, await world.post({ status: "published" }), { slug: wrong }))).toMatchObject({
      code: "validation_failed",
      detail: { slug: expect.any(String) },
    });
  });
});
