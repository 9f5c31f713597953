import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import type { TransactionSql } from "postgres";
import { describe, expect } from "vitest";
import { importEndpoints, importSources } from "#contract/imports.ts";
import { committedAs, withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { enqueueEmails } from "./support/emails.ts";
import { outcome, refused } from "./support/refusal.ts";
import { inDays, type Person, type PostRow, words, type World, test, testEach } from "./support/world.ts";

const sql = connect(8);

interface Entry {
  external_id: string;
  [key: string]: unknown;
}
const print = (letter: string): string => letter.repeat(64);
const entry = (name: string, columns: Record<string, unknown> = {}): Entry => ({
  external_id: `github:a/b@${name}`,
  fingerprint: print("a"),
  title: name,
  content_raw: { time: 1, version: "2", ...words(`What ${name} brings.`) },
  status: "published",
  published_at: "2019-03-01T10:00:00.000Z",
  ...columns,
});

const calls = (me: TransactionSql, workspace: string) => {
  const answer = async (rows: PromiseLike<postgres.Row[]>) => (await rows)[0]!.answer as unknown;
  const json = (value: unknown) => me.json(value as never);
  return {
    begin: async (total = 10, source = "github", name = "a/b", key: string | null = null) =>
      importEndpoints.begin.response.parse(
        await answer(me`select public.begin_import(${workspace}, ${source}, ${name}, ${total}, ${key}) as answer`),
      ).import,
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
    kept: async (id: string, url: string) => answer(me`select public.keep_import_image(${workspace}, ${id}, ${url}) as answer`),
  };
};
type Calls = ReturnType<typeof calls>;
const as = <T>(world: World, person: Person, work: (calls: Calls) => Promise<T>, workspace = world.acme): Promise<T> =>
  world.as(person, (me) => work(calls(me, workspace)));
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

async function open(world: World): Promise<string> {
  await world.as("owner", (me) => me`select public.change_workspace(${world.acme}, '{"public_changelog_enabled": true}')`);
  return (await world.tx`select subdomain::text from public.workspaces where id = ${world.acme}`)[0]!.subdomain as string;
}

describe("an import", () => {
  test("has the same sources in contract and database", async () => {
    const [row] = await sql`select pg_get_constraintdef(oid) as rule from pg_constraint where conname = 'imports_source'`;
    const known = [...(row!.rule as string).matchAll(/'([\w-]+)'/g)].map(([, source]) => source).toSorted();
    expect([...importSources].toSorted()).toEqual(known);
  });

  test("writes posts with their original values, oldest first or not", async ({ world }) => {
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
  });

  test("keeps a whole slug that is free, and shortens one only for its number", async ({ world }) => {
    const longest = `${"x".repeat(76)}-end`;
    const cut = `${"y".repeat(73)}-${"z".repeat(6)}`;
    const twice = (slug: string) => [1, 2, 3].map((n) => entry(`${slug[0]}${n}`, { slug }));
    const { entries } = await imported(world, ...twice(longest), ...twice(cut), entry("w", { slug: `${"w".repeat(73)}-v` }));
    expect(entries.map(({ problem }) => problem)).toEqual(Array(7).fill(null));
    const slugs = new Map((await postsOf(world)).map(({ title, slug }) => [title as string, slug]));
    expect(["x1", "x2", "x3", "y1", "y2", "y3", "w"].map((title) => slugs.get(title))).toEqual([
      longest,
      "x".repeat(74),
      `${"x".repeat(74)}-2`,
      cut,
      "y".repeat(73),
      `${"y".repeat(73)}-2`,
      `${"w".repeat(73)}-v`,
    ]);
  });

  testEach([
    ["no title", { title: " " }, "Title is required"],
    ["no title at all", { title: undefined }, "Title is required"],
    ["a title of a page", { title: "x".repeat(120) }, "The title can have at most 119 characters"],
    ["no content", { content_raw: undefined }, "Content is required"],
    ["nothing said", { content_raw: { blocks: [] } }, "Content is required"],
    ["invalid blocks", { content_raw: { blocks: "x" } }, "Content is required"],
    ["too much content", { content_raw: { blocks: Array(1_001).fill(words("x").blocks[0]) } }, "This post is too long"],
    ["a date ahead", { published_at: inDays(1).toISOString() }, "Please choose a time in the past"],
    ["the year 0", { published_at: "0001-01-01T00:00:00Z" }, "Please choose a time in the past"],
    ["a date before 1970", { published_at: "1969-12-31T23:59:59Z" }, "Please choose a time in the past"],
    ["infinity", { published_at: "infinity" }, "Please choose a time in the past"],
    ["an invalid date", { published_at: "yesterday-ish" }, "This post can't be imported as it is"],
    ["a schedule that has passed", { status: "scheduled", publish_at: "2020-01-01T00:00:00Z" }, "Please choose a time in the future"],
    ["a schedule without a time", { status: "scheduled" }, "Please select a date and time"],
    ["an unknown status", { status: "deleted" }, "This post can't be imported as it is"],
    ["tags without end", { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, "A post can have at most 20 tags"],
    ["a long tag", { tags: ["x".repeat(41)] }, "A tag can have at most 40 characters"],
    ["a long summary", { summary: "x".repeat(301) }, "The summary can have at most 300 characters"],
    [
      "another site's image as its cover",
      { cover_image: { url: "https://evil.example/x.png" } },
      "Please choose an image of this post, or add one",
    ],
    [
      "another site's image",
      { content_raw: { blocks: [{ type: "image", data: { file: { url: "https://evil.example/x.png" } } }] } },
      "One of its images isn't stored here",
    ],
    ["an invalid version", { replaces: "one" }, "This post can't be imported as it is"],
    ["a missing post to replace", { replaces: 1 }, "This post no longer exists"],
  ] as [string, Record<string, unknown>, string][])(
    "reports invalid entries, and writes the others: %s",
    async (world, _what, columns, problem) => {
      const { import: done, entries } = await imported(world, entry("good"), entry("bad", columns), entry("better"));
      expect(entries.map((one) => [one.outcome, one.problem])).toEqual([
        ["made", null],
        ["failed", problem],
        ["made", null],
      ]);
      expect(done).toMatchObject({ made: 2, failed: 1 });
      expect(done.finished_at).not.toBeNull();
      expect((await postsOf(world)).map(({ title }) => title)).toEqual(["better", "good"]);
      const again = await as(world, "owner", ({ write }) => write(done.id, [entry("bad"), entry("good", { title: "Otherwise" })]));
      expect(again.entries.map((one) => one.outcome)).toEqual(["made", "there"]);
      expect(again.entries[1]).toMatchObject({ post_id: entries[0]!.post_id, title: "good" });
      expect(again.import).toMatchObject({ made: 3, failed: 0 });
      expect(await postsOf(world)).toHaveLength(3);
    },
  );

  test("resumes after an interruption without duplicates", async ({ world }) => {
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
  });
});

describe("news of imported posts", () => {
  async function listening(world: World): Promise<string> {
    const subdomain = await open(world);
    const { tx, acme } = world;
    await tx`update public.mail_settings set undo_minutes = 0 where workspace_id = ${acme}`;
    await tx`insert into public.subscribers (workspace_id, email, status, frequency, confirmed_at, last_digest_at)
      select ${acme}, f || '@reader.example', 'active', f::public.subscriber_frequency, now() - interval '20 days', now() - interval '15 days'
      from unnest('{instant,daily,weekly}'::text[]) as f`;
    await tx`insert into private.webhooks (workspace_id, kind, url, sealed, events) values (${acme}, 'webhook', 'https://hooks.example/', ${"x".repeat(40)},
      '{post.published,post.updated,post.unpublished,post.scheduled}')`;
    return subdomain;
  }
  async function setGoing({ tx, acme }: World) {
    await enqueueEmails(tx, [acme]);
    const [row] = await tx`select
      (select count(*)::int from private.deliveries where workspace_id = ${acme}) as mails,
      (select count(*)::int from private.webhook_deliveries where workspace_id = ${acme}) as webhooks,
      (select count(*)::int from private.events where workspace_id = ${acme} and not quiet) as news,
      (select count(*)::int from public.daily_counts where workspace_id = ${acme}) as counts,
      (select count(*)::int from realtime.messages where topic = ${`workspace:${acme}`} and event <> 'posts-imported') as said,
      (select count(*)::int from private.audit_log where workspace_id = ${acme} and kind like 'post\\_%') as audited,
      (select count(*)::int from public.activities where workspace_id = ${acme} and kind like 'post\\_%') as lines`;
    return row!;
  }
  const nothing = { mails: 0, webhooks: 0, news: 0, counts: 0, said: 0, audited: 0, lines: 0 };
  const lines = async ({ tx, acme }: World) => ({
    activities: (await tx`select kind, title from public.activities where workspace_id = ${acme} order by id`).map(
      ({ kind, title }) => `${kind} ${title}`,
    ),
    audit: (await tx`select kind, subject from private.audit_log where workspace_id = ${acme} and kind ~ 'import' order by id`).map(
      ({ kind, subject }) => `${kind} ${subject}`,
    ),
  });

  test("isn't sent when 50 are published, replaced and removed; a user's publication is sent", async ({ world }) => {
    const subdomain = await listening(world);
    const before = await lines(world);
    const all = Array.from({ length: 50 }, (_, n) =>
      entry(`v${n}`, { published_at: new Date(Date.UTC(2015 + (n % 10), n % 12, 1 + (n % 28), 12)).toISOString() }),
    );
    const { id } = await as(world, "owner", ({ begin }) => begin(53));
    await as(world, "owner", ({ write }) => write(id, all.slice(0, 25)));
    await as(world, "owner", ({ write }) => write(id, all.slice(25)));
    await as(world, "owner", ({ write }) =>
      write(id, [
        entry("draft", { status: "draft", published_at: null }),
        entry("soon", { status: "scheduled", published_at: null, publish_at: inDays(2).toISOString() }),
        entry("old", { status: "archived" }),
      ]),
    );
    expect(await setGoing(world)).toEqual(nothing);
    expect(await world.tx`select from realtime.messages where topic = ${`workspace:${world.acme}`}`).toHaveLength(3);

    const list = await world.as(
      "anon",
      (me) => me`select title, published_at, updated_at, imported from private.list_releases(${subdomain}, 1, 100)`,
    );
    expect(list.map(({ title, imported: mark }) => [title, mark])).toEqual(
      all.toSorted((a, b) => (String(a.published_at) < String(b.published_at) ? 1 : -1)).map(({ title }) => [title, true]),
    );
    for (const { published_at, updated_at } of list) expect(updated_at).toEqual(published_at);
    const months = await world.as("anon", (me) => me`select month from private.release_months(${subdomain})`);
    expect(months.map(({ month }) => month)).toEqual(
      [...new Set(all.map(({ published_at }) => String(published_at).slice(0, 7)))].toSorted().toReversed(),
    );
    const sitemap = await world.as("anon", (me) => me`select updated_at from private.release_addresses(${subdomain})`);
    expect(sitemap.map(({ updated_at }) => (updated_at as Date).getTime())).toEqual(
      list.map(({ published_at }) => (published_at as Date).getTime()),
    );

    const again = await imported(
      world,
      entry("v1", { title: "v1 anew", replaces: 1, published_at: all[1]!.published_at }),
      entry("draft", { replaces: 1 }),
      entry("old", { replaces: 2 }),
    );
    expect(again.entries.map((one) => one.outcome)).toEqual(["replaced", "replaced", "replaced"]);
    expect(await setGoing(world)).toEqual(nothing);
    await as(world, "owner", ({ undo }) => undo(again.id));
    expect(await setGoing(world)).toEqual(nothing);
    expect((await as(world, "owner", ({ undo }) => undo(id))).import).toMatchObject({ made: 53, left: 0 });
    expect(await postsOf(world)).toHaveLength(0);
    expect(await setGoing(world)).toEqual(nothing);
    const after = await lines(world);
    expect(after.activities.slice(before.activities.length)).toEqual([
      "posts_imported 53 posts from a/b",
      "posts_imported 3 posts from a/b",
      "import_undone 3 posts from a/b",
      "import_undone 53 posts from a/b",
    ]);
    expect(after.audit).toEqual(["posts_imported a/b", "posts_imported a/b", "import_undone a/b", "import_undone a/b"]);

    await world.post({ title: "News", status: "published" });
    expect(await setGoing(world)).toMatchObject({ mails: 1, webhooks: 1, news: 1, said: 1, audited: 1, lines: 1 });
    const marks = await world.as("anon", (me) => me`select imported from private.list_releases(${subdomain})`);
    expect(marks.map((row) => row.imported)).toEqual([false]);
  });

  const told = async (world: World) => {
    const { mails } = await setGoing(world);
    const [row] = await world.tx`select count(*)::int as webhooks from private.webhook_deliveries d
      join private.webhook_events e on e.id = d.event_id and e.kind = 'post.published' where d.workspace_id = ${world.acme}`;
    return [mails, row!.webhooks] as [number, number];
  };
  const comesDue = async ({ tx, acme }: World, publisher = true) => {
    await tx`set local session_replication_role = replica`;
    await tx`update public.posts set publish_at = now() - interval '1 minute' where workspace_id = ${acme} and status = 'scheduled'`;
    await tx`set local session_replication_role = origin`;
    if (publisher) await tx`select private.publish_due_posts()`;
  };
  const soon = (columns: Record<string, unknown> = {}) =>
    entry("v1", { status: "scheduled", published_at: null, publish_at: inDays(2).toISOString(), ...columns });
  const sentAs: Record<string, Record<string, unknown>> = {
    scheduled: {},
    draft: { status: "draft", publish_at: null },
    published: { status: "published", publish_at: null, published_at: "2019-03-01T10:00:00.000Z" },
    archived: { status: "archived", publish_at: null },
  };
  async function scheduledHere(world: World, notify: boolean | null): Promise<number> {
    const [post] = await world.tx`insert into public.posts (workspace_id, title, content_raw, external_id)
      values (${world.acme}, 'Ours', ${words("Ours.") as never}, 'github:a/b@v1') returning id`;
    const patch = { status: "scheduled", publish_at: inDays(1).toISOString(), ...(notify === null ? {} : { notify }) };
    await world.as("owner", (me) => me`select public.save_post(${post!.id}, ${me.json(patch)})`);
    return (await postsOf(world))[0]!.version;
  }

  test("is sent once when a scheduled one becomes due, like any other", async ({ world }) => {
    const subdomain = await listening(world);
    await imported(world, soon(), entry("v2"));
    expect(await setGoing(world)).toEqual(nothing);
    await comesDue(world);
    expect(await told(world)).toEqual([1, 1]);
    expect(await told(world)).toEqual([1, 1]);
    const marks = await world.as("anon", (me) => me`select title, imported from private.list_releases(${subdomain})`);
    expect(marks.map(({ title, imported: mark }) => [title, mark])).toEqual([
      ["v1", false],
      ["v2", true],
    ]);
  });

  testEach([
    [null, 1],
    [true, 1],
    [false, 0],
  ])("scheduled here and replaced by a scheduled one is sent once (notify: %s)", async (world, notify, times) => {
    await listening(world);
    const replaces = await scheduledHere(world, notify);
    const { entries } = await imported(world, soon({ replaces }), entry("v2"));
    expect(entries[0]!.outcome).toBe("replaced");
    expect(await told(world)).toEqual([0, 0]);
    await comesDue(world);
    expect(await told(world)).toEqual([times, times]);
  });

  testEach(Object.keys(sentAs).flatMap((sent) => [[sent, null, 1] as const, [sent, false, 0] as const]))(
    "scheduled here, replaced by a %s one and restored is sent once (notify: %s)",
    async (world, sent, notify, times) => {
      await listening(world);
      const first = await imported(world, soon({ ...sentAs[sent], replaces: await scheduledHere(world, notify) }), entry("v2"));
      const [{ version }] = (await postsOf(world)).filter(({ external_id }) => external_id === "github:a/b@v1") as [PostRow];
      const second = await imported(world, soon({ status: "draft", publish_at: null, title: "Once more", replaces: version }));
      for (const { id } of [second, first])
        expect((await as(world, "owner", ({ undo }) => undo(id))).import).toMatchObject({ replaced: 1, left: 0 });
      expect(await postsOf(world)).toMatchObject([{ title: "Ours", status: "scheduled" }]);
      expect(await told(world)).toEqual([0, 0]);
      await comesDue(world);
      expect(await told(world)).toEqual([times, times]);
    },
  );

  test("is sent when a user publishes an imported draft, or republishes an imported post", async ({ world }) => {
    const subdomain = await listening(world);
    const { entries } = await imported(world, entry("draft", { status: "draft", published_at: null }), entry("v1"));
    const [draft, published] = entries.map(({ post_id }) => post_id!);
    await world.as("owner", (me) => me`update public.posts set status = 'published' where id = ${draft!}`);
    expect(await setGoing(world)).toMatchObject({ mails: 1, webhooks: 1, news: 1 });
    await world.as("owner", (me) => me`select public.save_post(${published!}, '{"status": "archived"}')`);
    await world.as("owner", (me) => me`update public.posts set status = 'draft' where id = ${published!}`);
    await world.as("owner", (me) => me`update public.posts set status = 'published' where id = ${published!}`);
    expect(await setGoing(world)).toMatchObject({ mails: 2, news: 2 });
    const marks = await world.as("anon", (me) => me`select imported from private.list_releases(${subdomain})`);
    expect(marks.map((row) => row.imported)).toEqual([false, false]);
  });

  test("readers' caches are invalidated once a call, and not without a write", async ({ world }) => {
    await open(world);
    const version = async () => Number((await world.tx`select version from private.public_versions where id = ${world.acme}`)[0]!.version);
    const { id } = await as(world, "owner", ({ begin }) => begin(3));
    const before = await version();
    await as(world, "owner", ({ write }) => write(id, [entry("v1"), entry("v2"), entry("v3", { title: "" })]));
    expect(await version()).toBe(before + 1);
    await as(world, "owner", ({ write }) => write(id, [entry("v1"), entry("v3", { title: "" })]));
    expect(await version()).toBe(before + 1);
    await as(world, "owner", ({ undo }) => undo(id));
    expect(await version()).toBe(before + 2);
    await world.post({ status: "published" });
    expect(await version()).toBe(before + 3);
  });
});

describe("a later import", () => {
  test("gets each entry's state in the workspace", async ({ world }) => {
    const names = ["same", "there", "here", "both", "gone", "archived"];
    const { entries } = await imported(world, ...names.map((name) => entry(name)), entry("failed", { title: "" }));
    const undone = await imported(world, entry("undone"));
    await as(world, "owner", ({ undo }) => undo(undone.id));
    const post = (name: string) => entries.find(({ title }) => title === name)!.post_id;
    for (const name of ["here", "both"])
      await world.as("editor", (me) => me`select public.save_post(${post(name)}, '{"title": "By hand"}')`);
    await world.as("editor", (me) => me`select public.save_post(${post("archived")}, '{"status": "archived"}')`);
    await world.as("editor", (me) => me`select public.purge_post(${post("gone")})`);
    await world.tx`insert into public.posts (workspace_id, title, external_id) values (${world.acme}, 'Robot', 'github:a/b@machine')`;
    await imported(world, entry("again"));
    await world.tx`delete from public.posts where workspace_id = ${world.acme} and external_id = 'github:a/b@again'`;
    await world.tx`insert into public.posts (workspace_id, title, external_id) values (${world.acme}, 'Robot', 'github:a/b@again')`;
    const changed = { fingerprint: print("b") };
    const expected: [Entry, string][] = [
      [entry("new"), "new"],
      [entry("same"), "same"],
      [entry("there", changed), "there"],
      [entry("here"), "here"],
      [entry("both", changed), "both"],
      [entry("gone"), "gone"],
      [entry("gone", changed), "gone"],
      [entry("archived"), "here"],
      [entry("failed"), "new"],
      [entry("undone"), "new"],
      [entry("machine"), "here"],
      [entry("again"), "here"],
      [entry("same"), "same"],
    ];
    const found = await as(world, "admin", ({ compare }) => compare(expected.map(([one]) => one)));
    expect(found.map(({ external_id, state }) => [external_id, state])).toEqual(expected.map(([one, state]) => [one.external_id, state]));
    expect(found[3]).toEqual({ external_id: "github:a/b@here", state: "here", post_id: post("here"), version: 2, title: "By hand" });
    expect(found[0]).toEqual({ external_id: "github:a/b@new", state: "new", post_id: null, version: null, title: null });
    expect(await as(world, "rival", ({ compare }) => compare([entry("same")]), world.globex)).toMatchObject([
      { state: "new", post_id: null },
    ]);
    for (const wrong of [[], {}, Array.from({ length: 501 }, () => entry("x"))])
      expect(await refused(as(world, "owner", ({ compare }) => compare(wrong as Entry[])))).toMatchObject({ code: "validation_failed" });
  });

  test("replaces only posts unchanged since the comparison", async ({ world }) => {
    const first = await imported(
      world,
      entry("v1", { tags: ["fix"], summary: "Old", old_urls: ["https://old.example.com/1"] }),
      entry("v2"),
    );
    const second = await imported(
      world,
      entry("v1", {
        fingerprint: print("b"),
        title: "v1 anew",
        published_at: "2018-01-01T00:00:00Z",
        replaces: 1,
        old_urls: ["https://old.example.com/one"],
      }),
      entry("v2", { fingerprint: print("b"), replaces: 2 }),
      entry("v1"),
    );
    expect(second.entries.map((one) => [one.outcome, one.problem])).toEqual([
      ["replaced", null],
      ["failed", "This post has changed since you compared"],
      ["there", null],
    ]);
    const post = (await postsOf(world)).find(({ id }) => id === first.entries[0]!.post_id)!;
    expect(post).toMatchObject({
      title: "v1 anew",
      summary: null,
      tags: [],
      slug: "v1",
      version: 2,
      published_at: new Date("2018-01-01T00:00:00Z"),
    });
    expect(await states(world, entry("v1", { fingerprint: print("b") }), entry("v1"), entry("v2"))).toEqual(["same", "there", "same"]);
    const third = await imported(world, entry("v1"));
    expect(third.entries[0]).toMatchObject({ outcome: "failed", problem: "This post already exists. Compare again to see what differs." });
    expect(await world.tx`select path from public.post_redirects where post_id = ${post.id} order by 1`).toEqual([
      { path: "/1" },
      { path: "/one" },
    ]);
  });

  testEach([
    ["published", "published", "published"],
    ["published", "draft", "published"],
    ["published", "scheduled", "published"],
    ["published", "archived", "archived"],
    ["draft", "draft", "draft"],
    ["draft", "published", "published"],
    ["draft", "scheduled", "scheduled"],
    ["draft", "archived", "archived"],
    ["scheduled", "draft", "draft"],
    ["scheduled", "scheduled", "scheduled"],
    ["scheduled", "published", "published"],
    ["scheduled", "archived", "archived"],
    ["archived", "published", "published"],
    ["archived", "draft", "draft"],
    ["archived", "scheduled", "scheduled"],
    ["archived", "archived", "archived"],
  ])("replacing a %s post by a %s one makes it %s, and undoing restores it", async (world, was, sent, is) => {
    const time = (status: string, day: number) => ({
      status,
      published_at: status === "published" ? `2019-03-0${day}T10:00:00.000Z` : null,
      publish_at: status === "scheduled" ? inDays(day).toISOString() : null,
    });
    await imported(world, entry("v1", { ...time(was, 1), tags: ["fix"], summary: "Old", cover_image: "none", author: "Ada" }));
    const [before] = await postsOf(world);
    const anew = { ...time(sent, 2), title: "v1 anew", content_raw: words("Otherwise."), author: "Bob", replaces: before!.version };
    const second = await imported(world, entry("v1", anew));
    const [now] = await postsOf(world);
    expect([second.entries[0]!.outcome, now!.status, now!.title, now!.author_name]).toEqual(["replaced", is, "v1 anew", "Bob"]);
    const { import: undone } = await as(world, "owner", ({ undo }) => undo(second.id));
    expect(undone).toMatchObject({ replaced: 1, left: 0 });
    const [after] = await postsOf(world);
    const passing = ["version", "updated_at", "content_updated_at", "archived_at", "imported_at"];
    const lasting = (post: object) => Object.fromEntries(Object.entries(post).filter(([name]) => !passing.includes(name)));
    expect(lasting(after!)).toEqual(lasting(before!));
    expect(await states(world, entry("v1"), entry("v1", { fingerprint: print("b") }))).toEqual(["same", "there"]);
  });
});

describe("undoing an import", () => {
  test("keeps posts edited since, and is idempotent", async ({ world }) => {
    const names = ["edited", "archived", "purged", "replaced", "untouched", "tagged"];
    const first = await imported(world, ...names.map((name) => entry(name, { tags: ["beta"] })));
    const post = (name: string) => first.entries.find(({ title }) => title === name)!.post_id;
    await world.as("editor", (me) => me`select public.save_post(${post("edited")}, '{"title": "By hand"}')`);
    await world.as("editor", (me) => me`select public.save_post(${post("archived")}, '{"status": "archived"}')`);
    await world.as("editor", (me) => me`select public.purge_post(${post("purged")})`);
    await world.as("editor", (me) => me`select public.change_tag(${world.acme}, 'beta', 'Gamma')`);
    const second = await imported(world, entry("replaced", { replaces: 1, title: "Replaced" }), entry("mine"));
    const other = await world.post();

    const done = await as(world, "admin", ({ undo }) => undo(first.id));
    expect(done).toMatchObject({ unfinished: false, import: { made: 6, left: 3, failed: 0 } });
    expect(done.import.undone_at).not.toBeNull();
    expect(await as(world, "owner", ({ undo }) => undo(first.id))).toEqual(done);
    expect((await postsOf(world)).map(({ title }) => title).toSorted()).toEqual(
      ["By hand", other.title, "Replaced", "archived", "mine"].toSorted(),
    );
    const late = [
      ({ write }: Calls) => write(first.id, [entry("late")]),
      ({ keep }: Calls) => keep(first.id, "https://old.example.com/a.png", { problem: "It is gone" }),
      ({ kept }: Calls) => kept(first.id, "https://old.example.com/a.png"),
    ];
    for (const call of late) expect(await refused(as(world, "owner", call))).toMatchObject({ code: "import_over" });
    const { entries } = await as(world, "owner", ({ read }) => read(first.id));
    expect(entries.map(({ title, post_id }) => [title, post_id !== null])).toEqual([
      ["edited", true],
      ["archived", true],
      ["purged", false],
      ["replaced", true],
      ["untouched", false],
      ["tagged", false],
    ]);
    expect(await states(world, entry("untouched"), entry("edited"), entry("purged"))).toEqual(["new", "here", "new"]);
    await as(world, "owner", ({ undo }) => undo(second.id));
    expect((await postsOf(world)).map(({ title }) => title).toSorted()).toEqual(
      ["By hand", other.title, "archived", "replaced"].toSorted(),
    );
  });
});

describe("images", () => {
  const file = (workspace: string) => ({
    url: `/storage/v1/object/public/post-images/${workspace}/${randomUUID()}.png`,
    width: 10,
    height: 20,
  });

  test("are recorded once per import, by the first report; failed ones are too", async ({ world }) => {
    const { id } = await as(world, "owner", ({ begin }) => begin());
    const other = await as(world, "owner", ({ begin }) => begin());
    const url = `https://old.example.com/${"x".repeat(2_000)}.png`;
    await as(world, "owner", async ({ keep, kept, write }) => {
      expect(await kept(id, url)).toBeNull();
      const picture = file(world.acme);
      expect(await keep(id, url, { ...picture, more: 1 })).toEqual(picture);
      expect(await keep(id, url, file(world.acme))).toEqual(picture);
      expect(await keep(id, url, { problem: "It is gone" })).toEqual(picture);
      expect(await kept(id, url)).toEqual(picture);
      expect(await kept(other.id, url)).toBeNull();
      expect(await keep(id, "https://old.example.com/b.png", { problem: "It is gone" })).toEqual({ problem: "It is gone" });
      const content_raw = { blocks: [{ type: "image", data: { file: { url: picture.url }, caption: "Look" } }] };
      expect((await write(id, [entry("v1", { content_raw, cover_image: picture })])).entries[0]!.outcome).toBe("made");
    });
    await world.tx`update private.import_images set made_at = made_at - interval '22 days' where import_id = ${id}`;
    expect(await as(world, "owner", ({ kept }) => kept(id, url))).toBeNull();
  });
});

describe("at the same time", () => {
  const commit = <T>(person: string, workspace: string, work: (calls: Calls) => Promise<T>) =>
    committedAs(sql, person, (tx) => work(calls(tx, workspace)));

  test("several senders of the same entries create them once", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const all = Array.from({ length: 25 }, (_, n) => entry(`v${n}`));
      const { id } = await commit(owner, workspace, ({ begin }) => begin(25));
      const answers = await Promise.all(Array.from({ length: 6 }, () => commit(owner, workspace, ({ write }) => write(id, all))));
      const outcomes = answers.flatMap(({ entries }) => entries.map((one) => one.outcome));
      expect(outcomes.filter((one) => one === "made")).toHaveLength(25);
      expect(outcomes.filter((one) => one === "there")).toHaveLength(125);
      expect(await sql`select from public.posts where workspace_id = ${workspace}`).toHaveLength(25);
    }));

  test("one key starts one import", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const ids = await Promise.all(
        Array.from({ length: 6 }, () => commit(owner, workspace, ({ begin }) => begin(1, "github", "a/b", "once"))),
      );
      expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
      expect(await sql`select from public.imports where workspace_id = ${workspace}`).toHaveLength(1);
    }));

  test("an import undone while it writes leaves nothing and stops", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const { id } = await commit(owner, workspace, ({ begin }) => begin(200));
      const writing = Array.from({ length: 8 }, (_, part) =>
        outcome(
          commit(owner, workspace, ({ write }) =>
            write(
              id,
              Array.from({ length: 25 }, (_entry, n) => entry(`v${part * 25 + n}`)),
            ),
          ),
        ),
      );
      const undoing = commit(owner, workspace, ({ undo }) => undo(id));
      const outcomes = await Promise.all(writing);
      let { unfinished } = await undoing;
      while (unfinished) ({ unfinished } = await commit(owner, workspace, ({ undo }) => undo(id)));
      expect(outcomes.filter((one) => one !== "allowed" && one !== "import_over")).toEqual([]);
      expect(await sql`select from public.posts where workspace_id = ${workspace}`).toHaveLength(0);
    }));

  test("saving and publishing posts of the same names causes no deadlock", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const { id } = await commit(owner, workspace, ({ begin }) => begin(100));
      const { id: second } = await commit(owner, workspace, ({ begin }) => begin(100, "feed"));
      const content = words("Text.");
      const save = (n: number) =>
        committedAs(
          sql,
          owner,
          (tx) =>
            tx`select public.put_post(${workspace}, ${`machine ${n % 10}`}, ${tx.json({ title: `v${n % 25}`, content_raw: content, status: "published" } as never)})`,
        );
      const outcomes = await Promise.all([
        ...Array.from({ length: 4 }, (_, part) =>
          outcome(
            commit(owner, workspace, ({ write }) =>
              write(
                id,
                Array.from({ length: 25 }, (_entry, n) => entry(`${part}-${n}`, { title: `v${n}` })),
              ),
            ),
          ),
        ),
        ...Array.from({ length: 4 }, (_, part) =>
          outcome(
            commit(owner, workspace, ({ write }) =>
              write(
                second,
                Array.from({ length: 25 }, (_entry, n) => entry(`${part}-${24 - n}`, { title: `v${24 - n}` })),
              ),
            ),
          ),
        ),
        ...Array.from({ length: 60 }, (_, n) => outcome(save(n))),
        ...Array.from({ length: 10 }, (_, n) =>
          outcome(committedAs(sql, owner, (tx) => tx`select public.create_tag(${workspace}, ${`Tag ${n % 3}`})`)),
        ),
      ]);
      expect(outcomes.filter((one) => one !== "allowed" && one !== "version_conflict")).toEqual([]);
      expect(await sql`select from public.posts where workspace_id = ${workspace}`).toHaveLength(110);
    }));
});

describe("a post's former path", () => {
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
  ])("is normalized: %s", async (_what, path, kept) => {
    const [row] = await sql`select private.redirect_path(${path}) as kept`;
    expect(row!.kept).toBe(kept);
  });

  test("redirects to the current URL of a public post, by the exact host, or by any if they agree", async ({ world }) => {
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
    await world.as("owner", (me) => me`select public.save_post(${first.id}, '{"status": "archived"}')`);
    expect(await found(world, subdomain, "old.example.com", "/news/1")).toBeNull();
  });

  test("reveals nothing of drafts, scheduled posts, other workspaces and closed ones", async ({ world }) => {
    const subdomain = await open(world);
    await wasAt(world, await world.post(), "old.example.com", "/draft");
    await wasAt(world, await world.post({ title: "Soon", publish_at: inDays(1) }), "old.example.com", "/soon");
    await wasAt(world, await world.post({ title: "There", status: "published" }), "old.example.com", "/there");
    expect(await found(world, subdomain, "old.example.com", "/draft")).toBeNull();
    expect(await found(world, subdomain, "old.example.com", "/soon")).toBeNull();
    expect(await found(world, subdomain, "old.example.com", "/there")).toBe("there");
    await world.as("rival", (me) => me`select public.change_workspace(${world.globex}, '{"public_changelog_enabled": true}')`);
    const [globex] = await world.tx`select subdomain::text from public.workspaces where id = ${world.globex}`;
    expect(await found(world, globex!.subdomain as string, "old.example.com", "/there")).toBeNull();
    await world.as("owner", (me) => me`select public.change_workspace(${world.acme}, '{"public_changelog_enabled": false}')`);
    expect(await found(world, subdomain, "old.example.com", "/there")).toBeNull();
    expect(await found(world, "no-such-workspace", "old.example.com", "/there")).toBeNull();
  });

  test("is stored by an import without query and fragment duplicates; the newest import owns a path of two posts", async ({ world }) => {
    const subdomain = await open(world);
    await imported(
      world,
      entry("first", {
        old_urls: [
          "https://user:secret@OLD.example.com/news/First/",
          "http://old.example.com:8080/1",
          "https://old.example.com/?p=1",
          "https://old.example.com/news?id=1",
          "https://old.example.com/changelog#v1",
          "https://old.example.com",
          "ftp://old.example.com/x",
          "javascript:alert(1)",
          `https://old.example.com/${"x".repeat(1_600)}`,
          "https://old.example.com/both",
          "https://old.example.com/the-eleventh",
        ],
      }),
    );
    const kept = () => world.tx`select host || path as at from public.post_redirects where workspace_id = ${world.acme} order by 1`;
    expect((await kept()).map(({ at }) => at)).toEqual(["old.example.com/both", "old.example.com/news/First", "old.example.com:8080/1"]);
    expect(await found(world, subdomain, "old.example.com", "/both")).toBe("first");
    await imported(world, entry("second", { old_urls: ["https://old.example.com/both/", "https://old.example.com/both?utm_source=y"] }));
    expect(await found(world, subdomain, "old.example.com", "/both")).toBe("second");
    expect(await kept()).toHaveLength(3);
  });
});
