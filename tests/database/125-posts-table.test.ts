import { describe, expect } from "vitest";
import { refused } from "./support/refusal.ts";
import { inDays, type Person, words, type World, test, testEach } from "./support/world.ts";

interface Search {
  term?: string | null;
  owner?: string | null;
  status?: string;
  sort?: string | null;
  page?: number;
  size?: number;
}
interface Found {
  total: number;
  posts: { id: string; title: string; views: number | null; status: string }[];
}
const find = async (
  { as, acme }: World,
  { term = null, owner = null, status = "all", sort = "recent_activity", page = 1, size = 10 }: Search,
  person: Person = "viewer",
) =>
  (
    await as(
      person,
      (me) => me<{ found: Found }[]>`select public.find_posts(${acme}, ${term}, ${owner}, ${status}, ${sort}, ${page}, ${size}) as found`,
    )
  )[0]!.found;
const titles = async (world: World, search: Search) => (await find(world, search)).posts.map(({ title }) => title);

async function sixPosts(world: World) {
  const by = (person: Person, title: string, status = "draft") =>
    world.as(
      person,
      (me) => me`select id from public.create_post(${world.acme}, ${title}, ${words("text") as never}, status => ${status}::text)`,
    );
  await by("owner", "Dark mode");
  await by("owner", "ÜBER exports", "published");
  await by("editor", "50% faster_exports");
  await by("editor", "Owner's manual", "published");
  const nobodys = await world.post({ title: "Imported" });
  const gone = await world.post({ title: "Gone exports" });
  await world.as("owner", (me) => me`select public.save_post(${gone.id}, '{"status": "archived"}')`);
  await world.tx`update public.posts set author_name = null, created_by_name = ' ' where id = ${nobodys.id}`;
  await world.post({ workspace_id: world.globex, title: "Their exports" });
}

describe("the posts table's filter finds", () => {
  testEach<[string, Search, string[]]>([
    ["everything but the archive", {}, ["Imported", "Owner's manual", "50% faster_exports", "ÜBER exports", "Dark mode"]],
    ["words of a title, whatever the case", { term: "EXPORTS" }, ["50% faster_exports", "ÜBER exports"]],
    ["letters beyond ASCII", { term: "über" }, ["ÜBER exports"]],
    ["wildcard characters as themselves", { term: "0% f" }, ["50% faster_exports"]],
    ["an underscore as itself", { term: "_" }, ["50% faster_exports"]],
    ["a quote as itself", { term: "r's" }, ["Owner's manual"]],
    ["an SQL injection as text", { term: "') or true --" }, []],
    ["a creator's name too", { term: "owner" }, ["Owner's manual", "ÜBER exports", "Dark mode"]],
    ["by the creator's whole name", { owner: "OWNER" }, ["ÜBER exports", "Dark mode"]],
    ["nothing by a part of a name", { owner: "own" }, []],
    ["posts without an author", { owner: "unknown" }, ["Imported"]],
    ["by status", { status: "published" }, ["Owner's manual", "ÜBER exports"]],
    ["only the archive on request", { status: "archived", term: "exports" }, ["Gone exports"]],
    ["by everything at once", { status: "published", owner: "editor", term: "manual" }, ["Owner's manual"]],
    ["everything for blanks", { term: " ", owner: " ", status: "draft" }, ["Imported", "50% faster_exports", "Dark mode"]],
  ])("%s", async (world, _, search, expected) => {
    await sixPosts(world);
    const { total, posts } = await find(world, search);
    expect(posts.map(({ title }) => title)).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  test("a due scheduled post among the published ones", async ({ world }) => {
    await world.post({ title: "Waiting", publish_at: inDays(1) });
    const due = await world.post({ title: "Due", publish_at: inDays(1) });
    await world.tx`set local session_replication_role = replica`;
    await world.tx`update public.posts set publish_at = now() - interval '1 minute' where id = ${due.id}`;
    await world.tx`set local session_replication_role = origin`;
    expect(await titles(world, { status: "published" })).toEqual(["Due"]);
    expect(await titles(world, { status: "scheduled" })).toEqual(["Waiting"]);
  });

  testEach([{ status: "deleted" }, { sort: "title" }, { sort: null }])("nothing for %j, which is an error", async (world, search) => {
    expect(await refused(find(world, search))).toMatchObject({
      code: "validation_failed",
      detail: { [Object.keys(search)[0]!]: expect.any(String) },
    });
  });
});

describe("the posts table sorts", () => {
  test("by a stable number from 100 to 4999 without the analytics add-on, and shows no views", async ({ world }) => {
    await sixPosts(world);
    const ranks = await world.tx<{ title: string; rank: number }[]>`
        select title, private.placeholder_views(id, title) as rank from public.posts
        where workspace_id = ${world.acme} and status <> 'archived' order by rank desc, updated_at desc`;
    expect(ranks.every(({ rank }) => rank >= 100 && rank <= 4_999)).toBe(true);
    const { posts } = await find(world, { sort: "most_viewed_last_month" });
    expect(posts.map(({ title }) => title)).toEqual(ranks.map(({ title }) => title));
    expect(posts.every(({ views }) => views === null)).toBe(true);
    const [same] = await world.tx`select private.placeholder_views('11111111-1111-4111-8111-111111111111', 'Dark mode') as rank`;
    expect(same!.rank).toBe(2_132);
  });

  test("by views of the last 30 days, then last edit, with it, and shows them", async ({ world }) => {
    await sixPosts(world);
    const see = (title: string, day: number, views: number) => world.tx`
        insert into private.count_queue (post_id, what, day, source, n, workspace_id)
        select id, 'view', (now() at time zone 'utc')::date - ${day}::int, 'page', ${views}, workspace_id from public.posts where workspace_id = ${world.acme} and title = ${title}`;
    await see("Dark mode", 0, 2);
    await see("Dark mode", 29, 2);
    await see("ÜBER exports", 1, 3);
    await see("Imported", 30, 99);
    await world.tx`select private.roll_up_counts()`;
    await world.as("owner", (me) => me`select public.request_upgrade(${world.acme}, '{analytics}')`);
    const { posts } = await find(world, { sort: "most_viewed_last_month" });
    expect(posts.map(({ title, views }) => [title, views])).toEqual([
      ["Dark mode", 4],
      ["ÜBER exports", 3],
      ["Imported", 0],
      ["Owner's manual", 0],
      ["50% faster_exports", 0],
    ]);
    expect((await find(world, { term: "dark" })).posts[0]!.views).toBe(4);
    expect((await find(world, { sort: "most_viewed_last_month", owner: "owner", page: 2, size: 1 })).posts[0]).toMatchObject({
      title: "ÜBER exports",
      views: 3,
    });
  });
});

describe("the posts table's pages", () => {
  test("contain every post once; a page past the end has only the count", async ({ world }) => {
    await world.as(
      "owner",
      (me) => me`insert into public.posts (workspace_id, title, content_raw)
        select ${world.acme}, 'Post ' || n, '{"blocks": []}' from generate_series(1, 120) as n`,
    );
    for (const sort of ["recent_activity", "most_viewed_last_month"]) {
      const pages = [
        await find(world, { sort, size: 50 }),
        await find(world, { sort, size: 50, page: 2 }),
        await find(world, { sort, size: 50, page: 3 }),
      ];
      expect(pages.map(({ posts }) => posts.length)).toEqual([50, 50, 20]);
      expect(pages.every(({ total }) => total === 120)).toBe(true);
      expect(new Set(pages.flatMap(({ posts }) => posts.map(({ id }) => id))).size).toBe(120);
    }
    expect(await find(world, { page: 4, size: 50 })).toEqual({ total: 120, posts: [] });
    expect((await find(world, { size: 1_000 })).posts).toHaveLength(100);
  });
});

test("the posts table's first page is read without scanning all posts", async ({ world }) => {
  await world.as(
    "owner",
    (me) => me`insert into public.posts (workspace_id, title, content_raw)
        select ${world.acme}, 'Post ' || n, '{"blocks": []}' from generate_series(1, 500) as n`,
  );
  await world.tx`analyze public.posts`;
  const plan = async (order: string) =>
    JSON.stringify(
      await world.tx.unsafe(
        `explain (format json) select p.id from public.posts p where p.workspace_id = '${world.acme}' and p.status <> 'archived' order by ${order} limit 10`,
      ),
    );
  expect(await plan("private.placeholder_views(p.id, p.title) desc, p.updated_at desc, p.id desc")).toContain("posts_by_placeholder");
  expect(await plan("p.updated_at desc, p.id desc")).toContain("posts_recent");
});
