import { describe, expect } from "vitest";
import { dashboard, type Dashboard } from "#contract/workspaces.ts";
import { refused } from "./support/refusal.ts";
import { inDays, inWorld, words, type World, test, testEach } from "./support/world.ts";

async function fivePosts(world: World) {
  const draft = await world.post({ title: "Draft" });
  const later = await world.post({ title: "Later", publish_at: inDays(2) });
  const sooner = await world.post({ title: "Sooner", publish_at: inDays(1) });
  const live = await world.post({ title: "Live", status: "published" });
  const gone = await world.post({ title: "Gone" });
  await world.as("owner", (me) => me`select public.save_post(${gone.id}, '{"status": "archived"}')`);
  return { draft, later, sooner, live, gone };
}
const list = async ({ as, acme }: World, status = "all", page = 1, size = 10) => {
  const [row] = await as("viewer", (me) => me`select public.list_posts(${acme}, ${status}, ${page}, ${size}) as page`);
  const { total, posts } = row!.page as { total: number; posts: { title: string; content_raw?: unknown }[] };
  return posts.map(({ title, content_raw }) => ({ title, total, heavy: content_raw !== undefined }));
};

describe("the posts list", () => {
  test("is sorted by last edit, without archived posts and content", async ({ world }) => {
    const { draft } = await fivePosts(world);
    await world.as("editor", (me) => me`select public.save_post(${draft.id}, '{"tags": ["fix"]}')`);
    const rows = await list(world);
    expect(rows.map((row) => row.title)).toEqual(["Draft", "Live", "Sooner", "Later"]);
    expect(rows.every((row) => row.total === 4 && !row.heavy)).toBe(true);
  });

  testEach([
    ["draft", ["Draft"]],
    ["scheduled", ["Sooner", "Later"]],
    ["published", ["Live"]],
    ["archived", ["Gone"]],
  ])("of status %s", async (world, status, titles) => {
    await fivePosts(world);
    const rows = await list(world, status);
    expect(rows.map((row) => row.title)).toEqual(titles);
    expect(rows.every((row) => row.total === titles.length)).toBe(true);
  });

  test("counts a due post as published before the publisher has run, as the posts table does", async ({ world }) => {
    const { sooner } = await fivePosts(world);
    await world.tx`set local session_replication_role = replica`;
    await world.tx`update public.posts set publish_at = now() where id = ${sooner.id}`;
    await world.tx`set local session_replication_role = origin`;
    const found = async (status: string) =>
      (await world.as("viewer", (me) => me`select public.find_posts(${world.acme}, status => ${status}) as found`))[0]!.found as {
        total: number;
        posts: { title: string }[];
      };
    for (const [status, titles] of [
      ["published", ["Live", "Sooner"]],
      ["scheduled", ["Later"]],
    ] as const) {
      const rows = await list(world, status);
      expect(rows.map((row) => row.title)).toEqual(titles);
      expect(rows.every((row) => row.total === titles.length)).toBe(true);
      expect((await found(status)).posts.map(({ title }) => title)).toEqual(titles);
    }
  });

  test("rejects an unknown status", async ({ world }) => {
    expect(await refused(list(world, "deleted"))).toMatchObject({ code: "validation_failed", detail: { status: expect.any(String) } });
  });
});

test("returns posts by ids from its workspace only, whatever their status, without content", async ({ world }) => {
  const { draft, gone } = await fivePosts(world);
  const theirs = await world.post({ workspace_id: world.globex });
  const asked = [draft.id, gone.id, theirs.id, world.acme];
  const rows = await world.as(
    "viewer",
    (me) => me`select p.id, p.status, to_jsonb(p) ? 'content_raw' as heavy from public.posts_of(${world.acme}, ${asked}) p`,
  );
  expect([...rows]).toEqual([
    { id: gone.id, status: "archived", heavy: false },
    { id: draft.id, status: "draft", heavy: false },
  ]);
});

describe("upcoming posts", () => {
  test("list scheduled posts of all my workspaces, soonest first", async ({ world }) => {
    await fivePosts(world);
    await world.post({ workspace_id: world.globex, title: "Theirs", publish_at: inDays(1.5) });
    expect((await world.as("mixed", (me) => me`select title from public.upcoming_posts()`)).map((row) => row.title)).toEqual([
      "Sooner",
      "Theirs",
      "Later",
    ]);
    expect((await world.as("mixed", (me) => me`select title from public.upcoming_posts(${world.globex})`)).map((row) => row.title)).toEqual(
      ["Theirs"],
    );
    expect((await world.as("viewer", (me) => me`select title from public.upcoming_posts()`)).map((row) => row.title)).toEqual([
      "Sooner",
      "Later",
    ]);
    expect(await world.as("stranger", (me) => me`select title from public.upcoming_posts()`)).toHaveLength(0);
  });
});

describe("search", () => {
  const search = async ({ as, acme }: World, term: string, rows = 8) =>
    (await as("viewer", (me) => me`select title from public.search_posts(${acme}, ${term}, ${rows})`)).map((row) => row.title);
  const withPosts = (play: (world: World) => Promise<void>) => () =>
    inWorld(async (world) => {
      await world.post({ title: "Dashboard 50% faster", content_raw: words("We cached the <b>queries</b> in a café.") });
      await world.post({ title: "Widget_themes", tags: ["improvement"], content_raw: words("Light and dark. 全部更新しました") });
      await world.post({ workspace_id: world.globex, title: "Their dashboard" });
      const gone = await world.post({ title: "Old dashboard" });
      await world.as("owner", (me) => me`select public.save_post(${gone.id}, '{"status": "archived"}')`);
      await play(world);
    });

  test.each([
    ["dash", ["Dashboard 50% faster"]],
    ["DASHBOARD", ["Dashboard 50% faster"]],
    ["board", ["Dashboard 50% faster"]],
    ["board 50", ["Dashboard 50% faster"]],
    ["50% FASTER", ["Dashboard 50% faster"]],
    ["faster dashboard", ["Dashboard 50% faster"]],
    ["dashboard themes", []],
    ["a b c d e f g h i j k", []],
    ["queries", ["Dashboard 50% faster"]],
    ["cafe", ["Dashboard 50% faster"]],
    ["improve", ["Widget_themes"]],
    ["widget themes", ["Widget_themes"]],
    ["d", ["Widget_themes", "Dashboard 50% faster"]],
    ["qu", ["Dashboard 50% faster"]],
    ["ue", []],
    ["更新", ["Widget_themes"]],
    ["%", []],
    ["\\", []],
    ["nothing like it", []],
    ["", []],
    ["   ", []],
  ])("for %j finds %j", (term, titles) => withPosts(async (world) => expect(await search(world, term)).toEqual(titles))());

  test("finds posts behind the latest two hundred, latest first", async ({ world }) => {
    await world.post({ title: "A needle" });
    await world.post({ title: "Another needle" });
    await world.as(
      "owner",
      (me) => me`
        insert into public.posts (workspace_id, title, content_raw) select ${world.acme}, 'Hay ' || n, ${words("hay") as never} from generate_series(1, 220) as n`,
    );
    await world.post({ title: "The last needle" });
    expect(await search(world, "needle")).toEqual(["The last needle", "Another needle", "A needle"]);
    expect(await search(world, "needle hay")).toEqual([]);
  });
});

describe("the dashboard", () => {
  const read = async ({ as, acme }: World, person: "viewer" | "owner" = "viewer") =>
    (await as(person, (me) => me`select public.dashboard(${acme}) as data`))[0]!.data as Dashboard;

  test("has the contract's shape", async ({ world }) => {
    await fivePosts(world);
    expect(() => dashboard.parse(undefined)).toThrow();
    expect(dashboard.strict().parse(await read(world))).toBeTruthy();
  });

  test("lists completed first steps", async ({ world }) => {
    const { tx, acme, as } = world;
    const steps = async () => (await read(world, "viewer")).firstSteps;
    await tx`delete from public.members where workspace_id = ${acme} and role <> 'owner'`;
    const own = async () => (await read(world, "owner")).firstSteps;
    expect(await own()).toEqual({ written: false, readable: false, installed: false, invited: false });
    const post = await world.post();
    expect(await own()).toMatchObject({ written: true, readable: false });
    await as("owner", (me) => me`select public.save_post(${post.id}, '{"status": "published"}')`);
    expect((await own()).readable).toBe(false);
    await as("owner", (me) => me`select public.change_workspace(${acme}, '{"public_changelog_enabled": true}')`);
    expect((await own()).readable).toBe(true);
    const [{ id }] = (await as("owner", (me) => me`select id from public.create_invite(${acme}, 'viewer')`)) as [{ id: string }];
    expect((await own()).invited).toBe(true);
    await as("owner", (me) => me`select public.revoke_invite(${id})`);
    expect((await own()).invited).toBe(false);
    await tx`insert into public.members (workspace_id, user_id, role) values (${acme}, ${world.people.viewer}, 'viewer')`;
    expect((await steps()).invited).toBe(true);
    const [{ subdomain }] = (await tx`
        update public.workspaces set allowed_origins = '{https://acme.example}' where id = ${acme} returning subdomain::text`) as [
      { subdomain: string },
    ];
    const note = (origin: string) => as("anon", (me) => me`select private.record_widget_use(${subdomain}, ${origin})`);
    await note("https://evil.example");
    expect((await own()).installed).toBe(false);
    for (let time = 0; time < 2; time++) await note("https://acme.example");
    expect((await own()).installed).toBe(true);
  });

  test("excludes archived posts from lists and count", async ({ world }) => {
    await fivePosts(world);
    const data = await read(world);
    expect(data).toMatchObject({ count: 4, hasArchive: true, memberCount: 5, public_changelog_enabled: false });
    expect(data.recentPosts.map((post) => post.title)).toEqual(["Live", "Sooner", "Later", "Draft"]);
    expect(data.upcomingPosts.map((post) => post.title)).toEqual(["Sooner", "Later"]);
  });

  test("lists each author once, ignoring case, without archived posts and other workspaces'", async ({ world }) => {
    const { gone } = await fivePosts(world);
    await world.as("mixed", (me) => me`select public.create_post(${world.acme}, 'Theirs', ${words("x") as never})`);
    await world.post({ workspace_id: world.globex, title: "Elsewhere" });
    await world.tx`update public.posts set author_name = 'Zoë' where title = 'Draft'`;
    await world.tx`update public.posts set author_name = 'ZOË' where title = 'Later'`;
    await world.tx`update public.posts set author_name = ' ', created_by_name = null where title = 'Live'`;
    await world.tx`update public.posts set author_name = 'Archie' where id = ${gone.id}`;
    expect((await read(world)).creators).toEqual(["mixed", "owner", "Unknown", "ZOË"]);
  });

  test("counts views of the last 30 days, with the analytics add-on only", async ({ world }) => {
    const { live, draft } = await fivePosts(world);
    const theirs = await world.post({ workspace_id: world.globex });
    for (const [post, workspace, days] of [
      [live.id, world.acme, 0],
      [draft.id, world.acme, 29],
      [draft.id, world.acme, 30],
      [theirs.id, world.globex, 0],
    ] as const)
      await world.tx`insert into private.count_queue (post_id, what, day, source, n, workspace_id)
          values (${post}, 'view', (now() at time zone 'utc')::date - ${days}::int, 'page', 5, ${workspace})`;
    await world.tx`select private.roll_up_counts()`;
    expect((await read(world)).views).toBeNull();
    await world.as("owner", (me) => me`select public.request_upgrade(${world.acme}, '{analytics}')`);
    expect((await read(world)).views).toBe(10);
  });

  test("lists the latest activities first, with user and post", async ({ world }) => {
    const { live } = await fivePosts(world);
    await world.as("admin", (me) => me`select public.save_post(${live.id}, '{"title": "Alive"}')`);
    await world.as("admin", (me) => me`select public.save_post(${live.id}, '{"title": "Alive!"}')`);
    await world.as("owner", (me) => me`select public.change_workspace(${world.acme}, '{"public_changelog_enabled": true}')`);
    const lines = (await read(world)).recentActivities.map(({ kind, actor_name, title }) => `${actor_name} ${kind} ${title}`);
    expect(lines).toEqual([
      "owner changelog_opened Acme",
      "admin post_updated Alive!",
      "owner post_archived Gone",
      "owner post_created Gone",
      "owner post_published Live",
      "owner post_scheduled Sooner",
      "owner post_scheduled Later",
      "owner post_created Draft",
    ]);
  });
});
