import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { committedAs, withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { outcome, refused } from "./support/refusal.ts";
import { type Person, words, type World, test, testEach } from "./support/world.ts";

const sql = connect(20);
const path = (workspace: string) => `${workspace}/${randomUUID()}.png`;
const showing = (...paths: string[]) => ({
  blocks: paths.map((p) => ({ type: "image", data: { file: { url: `/storage/v1/object/public/post-images/${p}` }, caption: "" } })),
});
const make = async ({ as, acme }: World, fields: { name?: string; content?: unknown; person?: Person } = {}): Promise<string> => {
  const { name = `Release ${randomUUID()}`, content = words("New:"), person = "editor" } = fields;
  const [row] = await as(person, (me) => me`select id from public.save_template(${acme}, ${name}, ${content as never})`);
  return row!.id as string;
};
const queued = async ({ tx }: World) =>
  (await tx`select path from private.discarded_files where discarded_at = now()`).map((row) => row.path as string);

describe("templates", () => {
  testEach([
    ["without a name", { name: "  " }, { name: "Please enter a name" }],
    ["with a long name", { name: "x".repeat(61) }, { name: "Please use at most 60 characters" }],
    ["with a long title", { title: "x".repeat(120) }, { title: "The title can have at most 119 characters" }],
    ["with a long summary", { summary: "x".repeat(301) }, { summary: "The summary can have at most 300 characters" }],
    ["with too many tags", { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, { tags: "A post can have at most 20 tags" }],
    ["with a long tag", { tags: ["x".repeat(41)] }, { tags: "A tag can have at most 40 characters" }],
    ["without blocks", { content: { text: "x" } }, { content_raw: "Content is required" }],
    [
      "that are too long",
      { content: { blocks: Array.from({ length: 1_001 }, () => words("x").blocks[0]) } },
      { content_raw: "This post is too long" },
    ],
  ])("%s are refused", async ({ as, acme }, _, fields, detail) => {
    const { name, title, summary, tags, content } = {
      name: "Release",
      title: "",
      summary: null,
      tags: [],
      content: words("x"),
      ...fields,
    } as {
      name: string;
      title: string;
      summary: string | null;
      tags: string[];
      content: unknown;
    };
    const asked = as(
      "editor",
      (me) => me`select public.save_template(${acme}, ${name}, ${content as never}, ${title}, ${summary}, ${tags})`,
    );
    expect(await refused(asked)).toMatchObject({ code: "validation_failed", detail });
  });

  test("have unique names, ignoring case and spaces", async ({ world }) => {
    const { as, acme } = world;
    await make(world, { name: "Monthly news" });
    expect(await outcome(make(world, { name: " MONTHLY  news " }))).toBe("template_name_taken");
    const other = await make(world, { name: "Weekly" });
    const rename = (name: string) =>
      as("editor", (me) => me`select public.save_template(${acme}, ${name}, ${words("x") as never}, template_id => ${other})`);
    expect(await outcome(rename("monthly news"))).toBe("template_name_taken");
    expect(await outcome(rename("WEEKLY"))).toBe("allowed");
  });

  test("are limited to a hundred, also when created concurrently", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const outcomes = await Promise.all(
        Array.from({ length: 120 }, (_, n) =>
          outcome(
            committedAs(sql, owner, (tx) => tx`select public.save_template(${workspace}, ${`Template ${n}`}, ${words("x") as never})`),
          ),
        ),
      );
      expect(outcomes.filter((one) => one === "allowed")).toHaveLength(100);
      expect(outcomes.filter((one) => one === "too_many_templates")).toHaveLength(20);
    }));

  test("of one name created concurrently are one", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () =>
          outcome(committedAs(sql, owner, (tx) => tx`select public.save_template(${workspace}, 'Release', ${words("x") as never})`)),
        ),
      );
      expect(outcomes.toSorted()).toEqual(["allowed", ...Array<string>(9).fill("template_name_taken")]);
    }));
});

describe("a template's images", () => {
  test("stay when their post is purged, and are deleted with the last template", async ({ world }) => {
    const { as, acme } = world;
    const shared = path(acme);
    const post = await world.post({ content_raw: showing(shared) });
    const [one, two] = [await make(world, { content: showing(shared) }), await make(world, { content: showing(shared) })];
    await as("editor", (me) => me`select public.purge_post(${post.id})`);
    expect(await queued(world)).toEqual([]);
    await as("editor", (me) => me`select public.delete_template(${acme}, ${one})`);
    expect(await queued(world)).toEqual([]);
    await as("editor", (me) => me`select public.delete_template(${acme}, ${two})`);
    expect(await queued(world)).toEqual([shared]);
  });

  test("aren't swept as unused, and aren't returned to the queue's worker", async ({ world }) => {
    const shown = path(world.acme);
    await world.tx`insert into storage.objects (bucket_id, name, created_at) values ('post-images', ${shown}, now() - interval '31 days')`;
    await make(world, { content: showing(shown) });
    await world.tx`select private.tidy_up()`;
    expect(await queued(world)).toEqual([]);
    await world.tx`insert into private.discarded_files (bucket, path) values ('post-images', ${shown})`;
    const handed = await world.tx`select path from public.discarded_files(1000)`;
    expect(handed.map((row) => row.path)).not.toContain(shown);
  });
});

describe("a copy of a post", () => {
  test("is a draft with title, summary, cover, tags and content, and no history", async ({ world }) => {
    const { as, acme, tx } = world;
    const image = path(acme);
    const cover = { url: `/storage/v1/object/public/post-images/${image}`, alt: "A cat" };
    const [source] = await as(
      "owner",
      (me) => me`select id from public.create_post(${acme}, 'Dark mode', ${words("All about it.") as never}, '{fix}', status => 'published',
          summary => 'In short.', cover_image => ${cover as never}, published_at => '2025-01-02')`,
    );
    await tx`update public.posts set external_id = 'v1' where id = ${source!.id}`;
    const [copy] = await as("editor", (me) => me`select * from public.duplicate_post(${source!.id})`);
    expect(copy).toMatchObject({
      ...{ title: "Dark mode (copy)", slug: "dark-mode-copy", status: "draft", summary: "In short.", tags: ["fix"], version: 1 },
      ...{ external_id: null, publish_at: null, published_at: null, archived_at: null, cover_image: cover },
      ...{ content_raw: words("All about it."), created_by: world.people.editor, author_id: world.people.editor },
    });
    const [before] = await tx`select status, version from public.posts where id = ${source!.id}`;
    expect(before).toEqual({ status: "published", version: 1 });
    await as("editor", (me) => me`select public.purge_post(${source!.id})`);
    expect(await queued(world)).toEqual([]);
  });

  test("can be made of an archived post, and of one without a title", async ({ world: { as, acme, post } }) => {
    const { id } = await post();
    await as("editor", (me) => me`select public.save_post(${id}, '{"status": "archived"}')`);
    expect(await outcome(as("editor", (me) => me`select public.duplicate_post(${id})`))).toBe("allowed");
    const [untitled] = await as(
      "editor",
      (me) => me`select id from public.create_post(${acme}, '', ${words("x") as never}, autosaved => true)`,
    );
    const [copy] = await as("editor", (me) => me`select title, status from public.duplicate_post(${untitled!.id})`);
    expect(copy).toEqual({ title: "", status: "draft" });
  });

  test("requested twice with one key is created once", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const id = await committedAs(
        sql,
        owner,
        async (tx) => (await tx`select id from public.create_post(${workspace}, 'Twice', ${words("x") as never})`)[0]!.id as string,
      );
      const copies = await Promise.all(
        Array.from({ length: 5 }, () =>
          committedAs(sql, owner, async (tx) => (await tx`select id from public.duplicate_post(${id}, 'a key')`)[0]!.id as string),
        ),
      );
      expect(new Set(copies).size).toBe(1);
      expect(await sql`select from public.posts where workspace_id = ${workspace}`).toHaveLength(2);
    }));

  test("and a concurrent purge of the original leave no image without its file", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const image = path(workspace);
      const id = await committedAs(
        sql,
        owner,
        async (tx) => (await tx`select id from public.create_post(${workspace}, 'Shown', ${showing(image) as never})`)[0]!.id as string,
      );
      let purge: Promise<unknown> = Promise.resolve();
      await committedAs(sql, owner, async (tx) => {
        await tx`select public.duplicate_post(${id})`;
        purge = committedAs(sql, owner, (other) => other`select public.purge_post(${id})`);
        // Waits until the copy is blocked by the lock.
        await expect
          .poll(
            async () =>
              (await sql`select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.query like '%purge_post%'`)
                .length,
          )
          .toBeGreaterThan(0);
      });
      await purge;
      expect(await sql`select from public.posts where workspace_id = ${workspace}`).toHaveLength(1);
      expect(await sql`select from private.discarded_files where path = ${image}`).toHaveLength(0);
    }));
});
