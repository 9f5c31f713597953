import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import type { TransactionSql } from "postgres";
import { describe, expect, test } from "vitest";
import { importEndpoints, importSources } from "#contract/imports.ts";
import { asKey, newKey } from "./support/as-key.ts";
import { committedAs, withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { outcome, refused } from "./support/refusal.ts";
import { everybody, inDays, inWorld, type Person, type PostRow, words, type World } from "./support/world.ts";

const sql = connect(8);
const managers: readonly Person[] = ["owner", "admin"];
const membersOnly: readonly Person[] = ["editor", "viewer", "mixed"];

interface Entry {
  external_id: string;
  [key: string]: unknown;
}
const print = (letter: string): string => letter.repeat(64);
/** An entry as /api hands it on. */
const entry = (name: string, columns: Record<string, unknown> = {}): Entry => ({
  external_id: `github:a/b@${name}`,
  fingerprint: print("a"),
  title: name,
  content_raw: { time: 1, version: "2", ...words(`What ${name} brings.`) },
  status: "published",
  published_at: "2019-03-01T10:00:00.000Z",
  ...columns,
});

/** The calls, as one person makes them; each answer is held against the contract. */
const calls = (me: TransactionSql, workspace: string) => {
  const answer = async (rows: PromiseLike<postgres.Row[]>) => (await rows)[0]!.answer as unknown;
  const json = (value: unknown) => me.json(value as never);
  return {
    begin: async (total = 10, source = "github", name = "a/b", key: string | null = null) =>
      importEndpoints.begin.response.parse(
        await answer(me`select public.begin_import(${workspace}, ${source}, ${name}, ${total}, ${key}) as answer`),
      ).import,
    list: async () => importEndpoints.list.response.parse(await answer(me`select public.list_imports(${workspace}) as answer`)).imports,
    read: async (id: string) =>
      importEndpoints.read.response.parse(await answer(me`select public.read_import(${workspace}, ${id}) as answer`)),
    write: async (id: string, entries: unknown) =>
      importEndpoints.write.response.parse(await answer(me`select public.write_entries(${workspace}, ${id}, ${json(entries)}) as answer`)),
    undo: async (id: string) =>
      importEndpoints.undo.response.parse(await answer(me`select public.undo_import(${workspace}, ${id}) as answer`)),
    compare: async (entries: readonly Entry[]) =>
      importEndpoints.compare.response.parse(await answer(me`select public.compare_entries(${workspace}, ${json(entries)}) as answer`))
        .entries,
    keep: async (id: string, url: string, kept: object) =>
      answer(me`select public.keep_import_image(${workspace}, ${id}, ${url}, ${json(kept)}) as answer`),
    kept: async (id: string, url: string) => answer(me`select public.kept_import_image(${workspace}, ${id}, ${url}) as answer`),
  };
};
type Calls = ReturnType<typeof calls>;
const as = <T>(world: World, person: Person, work: (calls: Calls) => Promise<T>, workspace = world.acme): Promise<T> =>
  world.as(person, (me) => work(calls(me, workspace)));
/** An import of these entries by the owner. */
const imported = (world: World, ...entries: Entry[]) =>
  as(world, "owner", async ({ begin, write }) => {
    const { id } = await begin(Math.max(entries.length, 1));
    return { id, ...(await write(id, entries)) };
  });
const postsOf = ({ tx, acme }: World) =>
  tx<
    (PostRow & Record<string, any>)[]
  >`select * from public.posts where workspace_id = ${acme} order by coalesce(published_at, created_at), title`;
const states = async (world: World, ...entries: Entry[]) =>
  (await as(world, "owner", ({ compare }) => compare(entries))).map(({ state }) => state);

describe("an import", () => {
  test("the contract and the database know the same sources", async () => {
    const [row] = await sql`select pg_get_constraintdef(oid) as rule from pg_constraint where conname = 'imports_source'`;
    const known = [...(row!.rule as string).matchAll(/'([\w-]+)'/g)].map(([, source]) => source).toSorted();
    expect([...importSources].toSorted()).toEqual(known);
  });

  test(
    "is begun, and the same key begins no second one",
    inWorld(sql, (world) =>
      as(world, "admin", async ({ begin, list, read }) => {
        const begun = await begin(3, "changelog", "  CHANGELOG.md ", "key-1");
        expect(begun).toMatchObject({ source: "changelog", name: "CHANGELOG.md", total: 3, made: 0, left: 0, created_by_name: "admin" });
        expect(await begin(3, "changelog", "  CHANGELOG.md ", "key-1")).toEqual(begun);
        expect(await list()).toEqual([begun]);
        expect(await read(begun.id)).toEqual({ import: begun, entries: [] });
        for (const source of importSources) expect((await begin(1, source)).source).toBe(source);
      }),
    ),
  );

  test.each([
    [[1, "medium", "x"], { source: "Please choose a source" }],
    [[0, "github", "x"], { total: "Please choose at least one post" }],
    [[10_001, "github", "x"], { total: "An import can have at most 10,000 posts" }],
    [[1, "github", "x".repeat(201)], { name: "Please use at most 200 characters" }],
  ] as [[number, string, string], object][])("is refused: %o", (given, detail) =>
    inWorld(sql, async (world) => {
      expect(await refused(as(world, "owner", ({ begin }) => begin(...given)))).toMatchObject({ code: "validation_failed", detail });
    })(),
  );

  test(
    "writes posts with what they had elsewhere, oldest first or not",
    inWorld(sql, async (world) => {
      await world.as("owner", (me) => me`select public.create_tag(${world.acme}, 'Big News')`);
      const { import: done, entries } = await imported(
        world,
        entry("v2", {
          title: " Version  2 ",
          summary: "In short",
          tags: ["Documentation", "big news", "Brand New", "fix"],
          slug: "v2",
          author: " Ada ",
          old_urls: ["https://Old.example.com:443/news/2/?utm_source=x&utm_medium=y", "https://old.example.com/?p=2"],
        }),
        entry("v1", { published_at: "2015-01-02T03:04:05.678Z", slug: "v2" }),
        entry("v3", { status: "draft", published_at: null }),
        entry("v4", { status: "scheduled", published_at: null, publish_at: inDays(1).toISOString() }),
        entry("v5", { status: "archived", published_at: "2016-01-01T00:00:00Z", cover_image: "none" }),
        entry("v6", { status: "archived", published_at: null, content_raw: { blocks: [] } }),
      );
      expect(done).toMatchObject({ made: 6, replaced: 0, failed: 0, total: 6, undone_at: null });
      expect(done.finished_at).not.toBeNull();
      expect(entries.map(({ outcome, problem }) => [outcome, problem])).toEqual(Array(6).fill(["made", null]));
      const posts = new Map((await postsOf(world)).map((post) => [post.external_id as string, post]));
      const of = (name: string) => posts.get(`github:a/b@${name}`)!;
      expect(of("v2")).toMatchObject({
        id: entries[0]!.post_id,
        title: "Version 2",
        summary: "In short",
        tags: ["docs", "big-news", "brand-new", "fix"],
        slug: "v2",
        author_name: "Ada",
        created_by: world.people.owner,
        status: "published",
        published_at: new Date("2019-03-01T10:00:00Z"),
        content_updated_at: new Date("2019-03-01T10:00:00Z"),
        version: 1,
      });
      expect(of("v1")).toMatchObject({ slug: "v2-2", published_at: new Date("2015-01-02T03:04:05.678Z"), author_name: "owner" });
      expect(of("v3")).toMatchObject({ status: "draft", published_at: null, imported_at: null });
      expect(of("v4")).toMatchObject({ status: "scheduled", imported_at: null });
      expect(of("v5")).toMatchObject({
        status: "archived",
        published_at: new Date("2016-01-01T00:00:00Z"),
        cover_image: "none",
        version: 2,
      });
      expect(of("v6")).toMatchObject({ status: "archived", published_at: null });
      expect(await world.tx`select host, path, post_id from public.post_redirects where workspace_id = ${world.acme}`).toEqual([
        { host: "old.example.com", path: "/news/2", post_id: entries[0]!.post_id },
      ]);
    }),
  );

  test.each([
    ["no title", { title: " " }, "Title is required"],
    ["no title at all", { title: undefined }, "Title is required"],
    ["a title of a page", { title: "x".repeat(120) }, "The title can have at most 119 characters"],
    ["no content", { content_raw: undefined }, "Content is required"],
    ["nothing said", { content_raw: { blocks: [] } }, "Content is required"],
    ["blocks that are none", { content_raw: { blocks: "x" } }, "Content is required"],
    ["too much content", { content_raw: { blocks: Array(1_001).fill(words("x").blocks[0]) } }, "This post is too long"],
    ["a date ahead", { published_at: inDays(1).toISOString() }, "Please choose a time in the past"],
    ["the year 0", { published_at: "0001-01-01T00:00:00Z" }, "Please choose a time in the past"],
    ["a date before there were any", { published_at: "1969-12-31T23:59:59Z" }, "Please choose a time in the past"],
    ["infinity", { published_at: "infinity" }, "Please choose a time in the past"],
    ["a date that is none", { published_at: "yesterday-ish" }, "This post cannot be kept as it is"],
    ["a schedule that has passed", { status: "scheduled", publish_at: "2020-01-01T00:00:00Z" }, "Please choose a time in the future"],
    ["a schedule without a time", { status: "scheduled" }, "Please select a date and time"],
    ["a status that is none", { status: "deleted" }, "This post cannot be kept as it is"],
    ["tags without end", { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, "A post can have at most 20 tags"],
    ["a long tag", { tags: ["x".repeat(41)] }, "A tag can have at most 40 characters"],
    ["a long summary", { summary: "x".repeat(301) }, "The summary can have at most 300 characters"],
    [
      "a picture of another site as its cover",
      { cover_image: { url: "https://evil.example/x.png" } },
      "Please choose an image of this post, or add one",
    ],
    [
      "a picture of another site",
      { content_raw: { blocks: [{ type: "image", data: { file: { url: "https://evil.example/x.png" } } }] } },
      "A picture of it is not kept here",
    ],
    ["a version that is none", { replaces: "one" }, "This post cannot be kept as it is"],
    ["the place of a post that is not here", { replaces: 1 }, "It is not here any more"],
  ] as [string, Record<string, unknown>, string][])("says what an entry lacks, and writes the others: %s", (_what, columns, problem) =>
    inWorld(sql, async (world) => {
      const { import: done, entries } = await imported(world, entry("good"), entry("bad", columns), entry("better"));
      expect(entries.map((one) => [one.outcome, one.problem])).toEqual([
        ["made", null],
        ["failed", problem],
        ["made", null],
      ]);
      expect(done).toMatchObject({ made: 2, failed: 1 });
      expect(done.finished_at).not.toBeNull();
      expect((await postsOf(world)).map(({ title }) => title)).toEqual(["better", "good"]);
      // Sent again as it should be, it is made; the others stay as they are.
      const again = await as(world, "owner", ({ write }) => write(done.id, [entry("bad"), entry("good", { title: "Otherwise" })]));
      expect(again.entries.map((one) => one.outcome)).toEqual(["made", "there"]);
      expect(again.entries[1]).toMatchObject({ post_id: entries[0]!.post_id, title: "good" });
      expect(again.import).toMatchObject({ made: 3, failed: 0 });
      expect(await postsOf(world)).toHaveLength(3);
    })(),
  );

  test.each([
    ["nothing", [], "entries"],
    ["an object", {}, "entries"],
    ["26", Array.from({ length: 26 }, (_, n) => entry(`v${n}`)), "entries"],
    ["words", ["v1"], "entries"],
    ["no name", [{ ...entry("v1"), external_id: undefined }], "entries"],
    ["a long name", [{ ...entry("v1"), external_id: "x".repeat(201) }], "entries"],
    ["no fingerprint", [{ ...entry("v1"), fingerprint: "abc" }], "entries"],
    ["more than it was begun for", Array.from({ length: 4 }, (_, n) => entry(`v${n}`)), "entries"],
  ] as [string, unknown, string][])("takes no entries that are none: %s", (_what, entries, field) =>
    inWorld(sql, async (world) => {
      const { id } = await as(world, "owner", ({ begin }) => begin(3));
      const said = await refused(as(world, "owner", ({ write }) => write(id, entries)));
      expect([said.code, Object.keys(said.detail as object)]).toEqual(["validation_failed", [field]]);
      expect(await postsOf(world)).toHaveLength(0);
    })(),
  );

  test(
    "goes on where it was interrupted: what came twice is there once",
    inWorld(sql, async (world) => {
      const all = Array.from({ length: 60 }, (_, n) => entry(`v${n}`));
      const { id } = await as(world, "owner", ({ begin }) => begin(60));
      await as(world, "owner", ({ write }) => write(id, all.slice(0, 25)));
      await as(world, "owner", ({ write }) => write(id, [...all.slice(20, 40), all[39]!]));
      const last = await as(world, "admin", ({ write }) => write(id, all.slice(35, 60)));
      expect(last.import).toMatchObject({ made: 60, failed: 0, total: 60 });
      expect(last.import.finished_at).not.toBeNull();
      expect(await postsOf(world)).toHaveLength(60);
      const { entries } = await as(world, "owner", ({ read }) => read(id));
      expect(entries.map(({ title }) => title)).toEqual(all.map(({ title }) => title));
    }),
  );
});

describe("who may", () => {
  const each: Record<string, (calls: Calls, id: string) => Promise<unknown>> = {
    begin: ({ begin }) => begin(),
    list: ({ list }) => list(),
    read: ({ read }, id) => read(id),
    write: ({ write }, id) => write(id, [entry("v1")]),
    undo: ({ undo }, id) => undo(id),
    compare: ({ compare }) => compare([entry("v1")]),
    keep: ({ keep }, id) => keep(id, "https://old.example.com/a.png", { problem: "It is gone" }),
    kept: ({ kept }, id) => kept(id, "https://old.example.com/a.png"),
  };
  test.each(everybody.flatMap((person) => Object.keys(each).map((call) => [person, call] as const)))("%s: %s", (person, call) =>
    inWorld(sql, async (world) => {
      const { id } = await as(world, "owner", ({ begin }) => begin());
      expect(await outcome(as(world, person, (some) => each[call]!(some, id)))).toBe(
        managers.includes(person) ? "allowed" : membersOnly.includes(person) ? "forbidden" : "not_found",
      );
    })(),
  );

  test(
    "nobody without a session, with one that has ended, or who was removed in the middle",
    inWorld(sql, async (world) => {
      const { id } = await as(world, "owner", ({ begin }) => begin());
      for (const call of Object.values(each)) {
        expect(await outcome(world.as("anon", (me) => call(calls(me, world.acme), id)))).toBe("42501");
      }
      await world.tx`delete from auth.sessions where user_id = ${world.people.admin}`;
      for (const call of Object.values(each)) expect(await outcome(as(world, "admin", (some) => call(some, id)))).toBe("unauthenticated");
      await world.tx`insert into auth.sessions (id, user_id) values (${world.people.admin}, ${world.people.admin})`;
      expect((await as(world, "admin", ({ write }) => write(id, [entry("v1")]))).import.made).toBe(1);
      await world.as("owner", (me) => me`select public.remove_member(${world.acme}, ${world.people.admin})`);
      for (const call of Object.values(each)) expect(await outcome(as(world, "admin", (some) => call(some, id)))).toBe("not_found");
    }),
  );

  test(
    "no key, whatever it is for, by whichever way",
    inWorld(sql, async (world) => {
      const { id } = await as(world, "owner", ({ begin }) => begin());
      const key = await newKey(world.tx, world.people.owner, world.acme);
      for (const call of [
        "begin_import",
        "list_imports",
        "read_import",
        "write_entries",
        "undo_import",
        "compare_entries",
        "keep_import_image",
      ])
        expect([call, await outcome(asKey(world.tx, key, call, async () => {}))]).toEqual([call, "forbidden"]);
      // Nor in the place of a call that it may make.
      for (const call of Object.values(each))
        expect(await outcome(asKey(world.tx, key, "list_tags", (me) => call(calls(me, world.acme), id)))).toBe("forbidden");
      expect(await asKey(world.tx, key, "list_tags", (me) => me`select from public.imports`)).toHaveLength(0);
    }),
  );

  test(
    "nobody with the import of another workspace",
    inWorld(sql, async (world) => {
      const theirs = await as(world, "rival", ({ begin }) => begin(), world.globex);
      for (const name of ["read", "write", "undo", "keep", "kept"]) {
        expect([name, await outcome(as(world, "owner", (some) => each[name]!(some, theirs.id)))]).toEqual([name, "not_found"]);
        expect([name, await outcome(as(world, "owner", (some) => each[name]!(some, randomUUID())))]).toEqual([name, "not_found"]);
      }
      expect(await as(world, "rival", ({ read }) => read(theirs.id), world.globex)).toEqual({ import: theirs, entries: [] });
    }),
  );

  test(
    "rows of imports are read by owners and administrators, and written by nobody",
    inWorld(sql, async (world) => {
      const { id } = await as(world, "owner", ({ begin }) => begin());
      for (const person of everybody)
        expect(await world.as(person, (me) => me`select from public.imports`)).toHaveLength(managers.includes(person) ? 1 : 0);
      await expect(world.as("owner", (me) => me`update public.imports set undone_at = now() where id = ${id}`)).rejects.toThrow(
        "permission denied",
      );
      await expect(world.as("owner", (me) => me`delete from public.imports where id = ${id}`)).rejects.toThrow("permission denied");
      await expect(world.as("owner", (me) => me`select from private.import_entries`)).rejects.toThrow("permission denied");
      await expect(world.as("owner", (me) => me`select private.import_post(${world.acme}, '{}')`)).rejects.toThrow("permission denied");
    }),
  );
});

async function open(world: World): Promise<string> {
  await world.as("owner", (me) => me`select public.set_public_changelog(${world.acme}, true)`);
  return (await world.tx`select subdomain::text from public.workspaces where id = ${world.acme}`)[0]!.subdomain as string;
}

describe("where posts were before", () => {
  const wasAt = async ({ tx, acme }: World, post: PostRow, host: string, path: string) =>
    tx`insert into public.post_redirects (workspace_id, host, path, post_id) values (${acme}, ${host}, ${path}, ${post.id})`;
  const found = async ({ as }: World, subdomain: string, host: string, path: string) =>
    (await as("anon", (me) => me`select private.find_redirect(${subdomain}, ${host}, ${path}) as slug`))[0]!.slug as string | null;

  test.each([
    ["with a slash at its end", "/news/first/", "/news/first"],
    ["with a query", "/news/first?utm_source=mail", "/news/first"],
    ["with a fragment", "/news/first/#top", "/news/first"],
    ["in letters of other scripts", "/nouveautés/été", "/nouveaut%C3%A9s/%C3%A9t%C3%A9"],
    ["as browsers send it", "/nouveaut%C3%A9s", "/nouveaut%C3%A9s"],
    ["the root", "/", ""],
  ])("a path is kept in one shape: %s", async (_what, path, kept) => {
    const [row] = await sql`select private.redirect_path(${path}) as kept`;
    expect(row!.kept).toBe(kept);
  });

  test(
    "leads to the present address of a post that readers may see, by the exact host, or by any if they agree",
    inWorld(sql, async (world) => {
      const subdomain = await open(world);
      const first = await world.post({ title: "First", status: "published" });
      const second = await world.post({ title: "Second", status: "published" });
      await wasAt(world, first, "old.example.com", "/news/1");
      await wasAt(world, second, "older.example.com:8080", "/news/1");
      await wasAt(world, first, "old.example.com", "/news/only");
      await wasAt(world, first, "older.example.com:8080", "/news/only");
      expect(await found(world, subdomain, "OLD.example.com:443", "/news/1/?page=2")).toBe("first");
      expect(await found(world, subdomain, "older.example.com:8080", "/news/1")).toBe("second");
      expect(await found(world, subdomain, "changes.example.com", "/news/1")).toBeNull();
      expect(await found(world, subdomain, "changes.example.com", "/news/only")).toBe("first");
      expect(await found(world, subdomain, "old.example.com", "/news")).toBeNull();
      expect(await found(world, subdomain, "old.example.com", "/")).toBeNull();

      await world.as("owner", (me) => me`select public.save_post(${first.id}, '{"slug": "moved-on"}')`);
      expect(await found(world, subdomain, "old.example.com", "/news/1")).toBe("moved-on");
      await world.as("owner", (me) => me`select public.archive_post(${first.id})`);
      expect(await found(world, subdomain, "old.example.com", "/news/1")).toBeNull();
    }),
  );

  test(
    "says nothing of drafts, of what is yet to come, of other workspaces, and of one that is closed",
    inWorld(sql, async (world) => {
      const subdomain = await open(world);
      await wasAt(world, await world.post(), "old.example.com", "/draft");
      await wasAt(world, await world.post({ title: "Soon", publish_at: inDays(1) }), "old.example.com", "/soon");
      await wasAt(world, await world.post({ title: "There", status: "published" }), "old.example.com", "/there");
      expect(await found(world, subdomain, "old.example.com", "/draft")).toBeNull();
      expect(await found(world, subdomain, "old.example.com", "/soon")).toBeNull();
      expect(await found(world, subdomain, "old.example.com", "/there")).toBe("there");
      await world.as("rival", (me) => me`select public.set_public_changelog(${world.globex}, true)`);
      const [globex] = await world.tx`select subdomain::text from public.workspaces where id = ${world.globex}`;
      expect(await found(world, globex!.subdomain as string, "old.example.com", "/there")).toBeNull();
      await world.as("owner", (me) => me`select public.set_public_changelog(${world.acme}, false)`);
      expect(await found(world, subdomain, "old.example.com", "/there")).toBeNull();
      expect(await found(world, "no-such-workspace", "old.example.com", "/there")).toBeNull();
    }),
  );

  test(
    "is read by members, and written by nobody",
    inWorld(sql, async (world) => {
      const post = await world.post();
      await wasAt(world, post, "old.example.com", "/draft");
      for (const [person, rows] of [
        ["viewer", 1],
        ["rival", 0],
        ["stranger", 0],
      ] as const)
        expect(await world.as(person, (me) => me`select from public.post_redirects`)).toHaveLength(rows);
      await expect(world.as("anon", (me) => me`select from public.post_redirects`)).rejects.toThrow("permission denied");
      await expect(
        world.as("owner", (me) => me`insert into public.post_redirects values (${world.acme}, 'b.example.com', '/b', ${post.id})`),
      ).rejects.toThrow("permission denied");
      await expect(world.as("owner", (me) => me`delete from public.post_redirects`)).rejects.toThrow("permission denied");
    }),
  );
});
