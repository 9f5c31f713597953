import { describe, expect } from "vitest";
import { defaultTags, tagColours } from "#contract/tags.ts";
import { connect } from "./support/database.ts";
import { tagKey } from "#contract/rules/tag-key.ts";
import { committedAs, withWorkspace } from "./support/committed.ts";
import { outcome, refused } from "./support/refusal.ts";
import { inDays, type Person, words, type World, test, testEach } from "./support/world.ts";

const sql = connect(8);
const create = async ({ as, acme }: World, person: Person, label: string, colour: string | null = null) =>
  (await as(person, (me) => me`select * from public.create_tag(${acme}, ${label}, ${colour})`))[0];
interface TagList {
  tags: { key: string; label: string; colour: string }[];
  carried: { key: string; posts: number }[];
  former: Record<string, string | null>;
}
const all = async ({ as, acme }: World) =>
  (await as("viewer", (me) => me<{ list: TagList }[]>`select public.list_tags(${acme}) as list`))[0]!.list;
const list = async (world: World) => (await all(world)).tags;
const change = async ({ as, acme }: World, person: Person, key: string, label: string | null, colour: string | null = null) =>
  (await as(person, (me) => me`select public.change_tag(${acme}, ${key}, ${label}, ${colour}) as answer`))[0]!.answer as object;
const merge = async ({ as, acme }: World, person: Person, key: string, into: string) =>
  (await as(person, (me) => me`select public.delete_tag(${acme}, ${key}, ${into}) as answer`))[0]!.answer as object;
const remove = async ({ as, acme }: World, person: Person, key: string) =>
  (await as(person, (me) => me`select public.delete_tag(${acme}, ${key}) as answer`))[0]!.answer as object;

test("every workspace has the contract's default tags", async ({ world }) => expect(await list(world)).toEqual(defaultTags));

test("tag keys are made as in the contract, for every European letter", async () => {
  const letters = Array.from({ length: 0x600 }, (_, code) => String.fromCodePoint(code)).filter((letter) => /^\p{L}$/u.test(letter));
  const labels = ["\u0130yile\u015ftirme", "\u039d\u0395\u039f\u03a3", "  Two  words "];
  const keys = await sql<
    { key: string }[]
  >`select private.tag_key(l) as key from unnest(${[...labels, ...letters]}::text[]) with ordinality as t (l, n) order by n`;
  expect(keys.slice(0, labels.length).map(({ key }) => key)).toEqual(labels.map(tagKey));
  const other = letters.filter((letter, at) => keys[labels.length + at]!.key !== tagKey(letter));
  expect(other).toEqual([]);
});

describe("a new tag", () => {
  test("gets a key from its name, and is blue by default", async ({ world }) => {
    expect(await create(world, "editor", "  Breaking   Change ")).toEqual({
      key: "breaking-change",
      label: "Breaking Change",
      colour: "blue",
    });
    expect(await create(world, "editor", "Ürün", "red")).toEqual({ key: "ürün", label: "Ürün", colour: "red" });
    expect((await list(world)).slice(4).map((tag) => tag.label)).toEqual(["Breaking Change", "Ürün"]);
  });

  test("is ignored if it equals a default one", async ({ world }) => {
    expect(await create(world, "editor", "FIX", "red")).toEqual({ key: "fix", label: "Fix", colour: "orange" });
    expect(await list(world)).toHaveLength(4);
  });

  test("returns the existing one", async ({ world }) => {
    await create(world, "editor", "Beta", "red");
    expect(await create(world, "owner", "beta", "green")).toEqual({ key: "beta", label: "Beta", colour: "red" });
  });

  testEach(["", "  ", "\u00a0"])("requires a name: %j", async (world, label) =>
    expect(await refused(create(world, "editor", label))).toMatchObject({
      code: "validation_failed",
      detail: { label: "A tag needs a name" },
    }),
  );

  test("accepts only the contract's colours", async ({ world }) => {
    for (const colour of tagColours) expect(await outcome(create(world, "editor", colour, colour))).toBe("allowed");
    expect(await outcome(create(world, "editor", "odd", "magenta"))).toBe("23514");
  });
});

testEach(["Beta", "  Breaking   Change ", "Ürün", "A/B & Co", "two\tblanks"])(
  "the contract makes the same key of %j",
  async (world, label) => expect((await create(world, "editor", label))!.key).toBe(tagKey(label)),
);

const ofPost = async ({ tx }: World, id: string) =>
  (
    await tx`select p.tags, p.version, p.updated_at::text as updated, p.content_updated_at::text as content_updated, p.updated_by, p.status, p.archived_at::text as archived,
      (select count(*)::int from public.post_revisions r where r.post_id = p.id) as revisions,
      (select count(*)::int from public.activities a where a.post_id = p.id) as activities
    from public.posts p where p.id = ${id}`
  )[0]!;
const searchTextOf = async ({ tx }: World, id: string) =>
  (await tx`select search_text from public.posts where id = ${id}`)[0]!.search_text as string;

describe("a changed tag", () => {
  test("updates its posts, archived ones included, without a new version, date, revision or activity", async ({ world }) => {
    await create(world, "editor", "Beta", "red");
    const posts = [
      await world.post({ tags: ["fix", "beta"], title: "One", content_raw: words("long text") }),
      await world.post({ tags: ["beta"], status: "published" }),
      await world.post({ tags: ["beta"], status: "scheduled", publish_at: inDays(2) }),
      await world.post({ tags: ["beta"] }),
      await world.post({ tags: ["fix"] }),
    ];
    await world.as("owner", (me) => me`select public.save_post(${posts[3]!.id}, '{"status": "archived"}')`);
    const before = await Promise.all(posts.map(({ id }) => ofPost(world, id)));

    expect(await change(world, "editor", "beta", "New  Name")).toEqual({
      tag: { key: "new-name", label: "New Name", colour: "red" },
      posts: 4,
      unfinished: false,
    });
    const after = await Promise.all(posts.map(({ id }) => ofPost(world, id)));
    const renamed = (tags: string[]) => tags.map((key) => (key === "beta" ? "new-name" : key));
    expect(after).toEqual(before.map((post) => ({ ...post, tags: renamed(post.tags as string[]) })));
    expect(await searchTextOf(world, posts[0]!.id)).toBe(" one fix new name long text ");
    expect(await all(world)).toMatchObject({
      carried: [
        { key: "fix", posts: 2 },
        { key: "new-name", posts: 3 },
      ],
      former: { beta: "new-name" },
    });
  });

  test("can't take the name of another tag, a default tag, or one that only posts have", async ({ world }) => {
    await create(world, "editor", "Beta");
    await create(world, "editor", "Gamma");
    await world.post({ tags: ["loose"] });
    for (const name of ["gamma", "Fix", "LOOSE"])
      expect((await refused(change(world, "editor", "beta", name))).detail).toEqual({
        label: "Another tag has this name. Merge the two, or choose another name.",
      });
    expect((await refused(change(world, "editor", "beta", " "))).detail).toEqual({ label: "A tag needs a name" });
    expect((await refused(change(world, "editor", "beta", "x".repeat(41)))).code).toBe("validation_failed");
    expect(await outcome(change(world, "editor", "beta", null, "magenta"))).toBe("23514");
    expect(await outcome(change(world, "editor", "nothing", "New"))).toBe("not_found");
  });

  test("stays if it is a default one; its posts can be moved to another one", async ({ world }) => {
    const { id } = await world.post({ tags: ["fix", "docs"] });
    expect((await refused(change(world, "owner", "fix", "Mended"))).code).toBe("validation_failed");
    expect((await refused(remove(world, "owner", "fix"))).code).toBe("validation_failed");
    expect(await merge(world, "owner", "fix", "docs")).toMatchObject({ tag: { key: "docs", label: "Documentation" }, posts: 1 });
    expect((await ofPost(world, id)).tags).toEqual(["docs"]);
    expect(await list(world)).toEqual(defaultTags);
    await world.as("editor", (me) => me`update public.posts set tags = '{fix}' where id = ${id}`);
    expect((await ofPost(world, id)).tags).toEqual(["fix"]);
  });

  test("that only posts have becomes the workspace's when it is named", async ({ world }) => {
    const { id } = await world.post({ tags: ["Big News"] });
    expect(await change(world, "editor", "Big News", null, "green")).toMatchObject({
      tag: { key: "big-news", label: "Big News", colour: "green" },
      posts: 1,
    });
    expect((await ofPost(world, id)).tags).toEqual(["big-news"]);
    expect((await list(world)).slice(4)).toEqual([{ key: "big-news", label: "Big News", colour: "green" }]);
  });
});

describe("two merged tags", () => {
  test("become one, once in each post, and old keys find it", async ({ world }) => {
    await create(world, "editor", "Alpha");
    await create(world, "editor", "Beta");
    await create(world, "editor", "Gamma", "red");
    const both = await world.post({ tags: ["beta", "docs", "gamma"] });
    await change(world, "editor", "alpha", "Aleph");
    await merge(world, "editor", "aleph", "beta");
    expect(await merge(world, "editor", "beta", "gamma")).toEqual({
      tag: { key: "gamma", label: "Gamma", colour: "red" },
      posts: 1,
      unfinished: false,
    });
    expect((await ofPost(world, both.id)).tags).toEqual(["gamma", "docs"]);
    expect((await all(world)).former).toEqual({ alpha: "gamma", aleph: "gamma", beta: "gamma" });
    expect((await refused(merge(world, "editor", "gamma", "gamma"))).detail).toEqual({ into: "Please choose another tag" });
    expect(await outcome(merge(world, "editor", "gamma", "nothing"))).toBe("not_found");
    expect(await outcome(merge(world, "editor", "beta", "gamma"))).toBe("not_found");
  });

  test("become one when each is merged into the other at the same time", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const as = <T>(work: Parameters<typeof committedAs<T>>[2]) => committedAs(sql, owner, work);
      await as((tx) => tx`select public.create_tag(${workspace}, 'One'), public.create_tag(${workspace}, 'Two')`);
      for (const tags of [["one"], ["two"], ["one", "two"], ["two", "one"]])
        await as((tx) => tx`select public.create_post(${workspace}, 'Race', ${words("text") as never}, ${tags})`);
      const outcomes = await Promise.all([
        outcome(as((tx) => tx`select public.delete_tag(${workspace}, 'one', 'two')`)),
        outcome(as((tx) => tx`select public.delete_tag(${workspace}, 'two', 'one')`)),
      ]);
      expect(outcomes.toSorted()).toEqual(["allowed", "not_found"]);
      const left = await sql`select distinct tags from public.posts where workspace_id = ${workspace}`;
      expect(left).toHaveLength(1);
      expect(left[0]!.tags).toHaveLength(1);
      expect(await sql`select key from public.tags where workspace_id = ${workspace}`).toEqual([{ key: left[0]!.tags[0] as string }]);
    }));

  test("cause no deadlock while many save posts with them, and no post keeps a deleted tag", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const as = <T>(work: Parameters<typeof committedAs<T>>[2]) => committedAs(sql, owner, work);
      await as((tx) => tx`select public.create_tag(${workspace}, 'One'), public.create_tag(${workspace}, 'Two')`);
      const ids = await Promise.all(
        Array.from({ length: 20 }, async (_, n) =>
          as(
            async (tx) =>
              (
                await tx`select id from public.create_post(${workspace}, ${`Post ${n}`}, ${words("text") as never}, '{one}', status => 'published')`
              )[0]!.id as string,
          ),
        ),
      );
      const saves = ids.flatMap((id, n) =>
        Array.from({ length: 5 }, (_, time) =>
          outcome(
            as((tx) => tx`select public.save_post(${id}, ${{ tags: ["one", `extra-${time}`], title: `Post ${n} ${time}` } as never})`),
          ),
        ),
      );
      const merged = outcome(as((tx) => tx`select public.delete_tag(${workspace}, 'one', 'two')`));
      expect(new Set(await Promise.all([...saves, merged]))).toEqual(new Set(["allowed"]));
      await sql`update private.tag_moves set begun_at = begun_at - interval '1 minute' where workspace_id = ${workspace}`;
      for (let tick = 0; tick < 3; tick += 1) await sql`select private.settle_tags()`;
      expect(await sql`select id from public.posts where workspace_id = ${workspace} and tags @> '{one}'`).toEqual([]);
      expect(await sql`select * from private.tag_moves where workspace_id = ${workspace}`).toEqual([]);
    }));
});

describe("a deleted tag", () => {
  test("is in no post, and returns when it is created again", async ({ world }) => {
    await create(world, "editor", "Beta");
    const { id } = await world.post({ tags: ["beta", "fix"] });
    expect(await remove(world, "editor", "beta")).toEqual({ posts: 1, unfinished: false });
    expect((await ofPost(world, id)).tags).toEqual(["fix"]);
    expect((await all(world)).former).toEqual({ beta: null });
    expect(await outcome(remove(world, "editor", "beta"))).toBe("not_found");

    await create(world, "editor", "beta");
    expect((await all(world)).former).toEqual({});
    await world.as("editor", (me) => me`update public.posts set tags = '{beta}' where id = ${id}`);
    expect((await ofPost(world, id)).tags).toEqual(["beta"]);
  });

  test("stays deleted when an open editor saves with the version it knew", async ({ world }) => {
    await create(world, "editor", "Beta");
    await create(world, "editor", "Gamma");
    const { id, version } = await world.post({ tags: ["beta", "gamma"] });
    await change(world, "owner", "beta", "Renamed");
    await remove(world, "owner", "gamma");
    const patch = { title: "Written meanwhile", tags: ["beta", "gamma", "docs"] };
    const [saved] = await world.as("editor", (me) => me`select tags, version from public.save_post(${id}, ${patch as never}, ${version})`);
    expect(saved).toEqual({ tags: ["renamed", "docs"], version: version + 1 });
    const [again] = await world.as("editor", (me) => me`select tags, version from public.restore_revision(${id}, 1, ${version + 1})`);
    expect(again!.tags).toEqual(["renamed"]);
  });
});

test("changing a tag of many posts updates some hundred per call and reports more", async ({ world }) => {
  await create(world, "editor", "Beta");
  await world.tx`insert into public.posts (workspace_id, title, content_raw, tags)
      select ${world.acme}, 'Post ' || n, ${words("text") as never}, '{beta}' from generate_series(1, 350) as n`;
  const left = async () =>
    (await world.tx`select count(*)::int as n from public.posts where tags @> '{beta}' and workspace_id = ${world.acme}`)[0]!.n;
  expect(await change(world, "editor", "beta", "Gamma")).toMatchObject({ posts: 350, unfinished: true });
  expect(await left()).toBe(50);
  const settle = async () => (await world.as("editor", (me) => me`select public.settle_tags(${world.acme}) as more`))[0]!.more;
  expect([await settle(), await left(), await settle()]).toEqual([true, 0, false]);
});

test("the tags of 5,000 posts, and the posts with a tag, are read from one index", () =>
  withWorkspace(sql, 0, async ({ workspace }) => {
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`; // plain rows, as only their number matters
      await tx`insert into public.posts (workspace_id, title, slug, tags, content_raw, updated_at)
        select ${workspace}, 'Post ' || n, 'post-' || n, case when n % 500 = 0 then '{rare}' else '{fix,docs}' end::text[],
          ${words("text ".repeat(200)) as never}, now() - n * interval '1 minute' from generate_series(1, 5000) as n`;
    });
    await expect // retry: an older snapshot can delay the vacuum
      .poll(
        async () => {
          await sql`vacuum (analyze) public.posts`;
          return (await sql`select relallvisible >= relpages as done from pg_class where oid = 'public.posts'::regclass`)[0]!
            .done as boolean;
        },
        { timeout: 40_000 },
      )
      .toBe(true);
    const plan = (question: string) =>
      sql.begin(async (tx) => {
        await tx`set local enable_seqscan = off`; // without it Postgres may prefer a sequential scan here
        return JSON.stringify(await tx.unsafe(`explain ${question}`));
      });
    const ours = `p.workspace_id = '${workspace}' and p.status <> 'archived' and p.tags <> '{}'`;
    const withTag = `select p.id from public.posts p where ${ours} and p.tags @> array['rare'] order by p.updated_at desc, p.id desc limit 15`;
    expect(await plan(withTag)).toContain("Index Only Scan using posts_tags");
    const carried = `select c.key, count(*) from public.posts p, unnest(p.tags) as c (key) where ${ours} group by 1`;
    expect(await plan(carried)).toContain("Index Only Scan using posts_tags");
  }));
