import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { words, type World, test, testEach } from "./support/world.ts";

const sql = connect();

interface Row {
  id: string;
  post_id: string | null;
  path: string | null;
  due_at: Date | null;
  wanted: number;
  attempt: number;
  error: string | null;
  look_changed: boolean;
}
interface Claimed {
  id: string;
  wanted: number;
  attempt: number;
  workspace_id: string;
  workspace_name: string;
  title: string | null;
  post_id: string | null;
  appearance: object;
}

async function open({ tx, acme, globex }: World): Promise<void> {
  await tx`update public.workspaces set public_changelog_enabled = true where id = any (${[acme, globex]})`;
  await tx`update private.link_pictures set due_at = null, look_changed = false
    where id = any (array(select id from private.link_pictures where due_at is not null for update skip locked))`;
}
const rows = async ({ tx, acme }: World) =>
  await tx<Row[]>`select * from private.link_pictures where workspace_id = ${acme} order by post_id nulls first`;
const rowOf = async ({ tx }: World, post: string) => (await tx<Row[]>`select * from private.link_pictures where post_id = ${post}`)[0];
const isDue = (row: Row | undefined) => (row?.due_at ?? null) !== null && row!.due_at!.getTime() <= Date.now() + 1_000;
const claim = async ({ tx, acme, globex }: World, batch = 20) =>
  (await tx<Claimed[]>`select * from public.claim_link_pictures(${batch})`).filter((one) => [acme, globex].includes(one.workspace_id));
const settle = async ({ tx }: World, { id, wanted }: { id: string; wanted: number }, path: string | null, error: string | null = null) =>
  (await tx<{ kept: boolean }[]>`select public.settle_link_picture(${id}, ${wanted}, ${path}, ${error}) as kept`)[0]!.kept;
const discarded = async ({ tx }: World, path: string) =>
  (await tx`select from private.discarded_files where bucket = 'link-pictures' and path = ${path}`).length > 0;
const timePasses = ({ tx }: World, interval: string) =>
  tx`update private.link_pictures set due_at = due_at - ${interval}::text::interval where due_at is not null`;
const change = (world: World, post: string, columns: Record<string, string | null>) =>
  world.as("owner", (me) => me`update public.posts set ${me(columns)} where id = ${post}`);

async function drawn(world: World, title = "Dark mode"): Promise<{ id: string; path: string }> {
  const { id } = await world.post({ status: "published", title });
  const [wanted] = (await claim(world)).filter(({ post_id }) => post_id === id);
  const path = `${world.acme}/${randomUUID()}.png`;
  expect(await settle(world, wanted!, path)).toBe(true);
  return { id, path };
}

describe("a post's social image", () => {
  test("is queued on publication, with the public content", async ({ world }) => {
    await open(world);
    const { id } = await world.post({ status: "draft", title: "Dark mode" });
    expect(await rowOf(world, id)).toBeUndefined();
    await change(world, id, { status: "published" });
    expect(isDue(await rowOf(world, id))).toBe(true);
    expect(await claim(world)).toMatchObject([
      { post_id: id, title: "Dark mode", workspace_id: world.acme, workspace_name: "Acme", attempt: 1 },
    ]);
    expect(await claim(world)).toEqual([]);
    await timePasses(world, "2 minutes");
    expect(await claim(world)).toMatchObject([{ post_id: id, attempt: 2 }]);
  });

  test("of a scheduled post waits for its time, and isn't rendered again by the publisher", async ({ world }) => {
    await open(world);
    const { id } = await world.post({ status: "scheduled", publish_at: new Date(Date.now() + 3_600_000).toISOString() } as never);
    expect(isDue(await rowOf(world, id))).toBe(false);
    expect(await claim(world)).toEqual([]);
    await world.tx`set local session_replication_role = replica`;
    await world.tx`update public.posts set publish_at = now() - interval '1 second' where id = ${id}`;
    await world.tx`set local session_replication_role = origin`;
    await timePasses(world, "1 hour");
    const [wanted] = await claim(world);
    expect(wanted).toMatchObject({ post_id: id });
    expect(await settle(world, wanted!, `${world.acme}/${randomUUID()}.png`)).toBe(true);
    await world.tx`select private.publish_due_posts()`;
    expect((await world.tx`select status from public.posts where id = ${id}`)[0]).toEqual({ status: "published" });
    expect(isDue(await rowOf(world, id))).toBe(false);
  });

  test("with an outdated title is deleted by the save that changes it", async ({ world }) => {
    await open(world);
    const { id, path } = await drawn(world);
    await change(world, id, { title: "Bright mode" });
    expect(await rowOf(world, id)).toMatchObject({ path: null, wanted: 2, attempt: 0 });
    expect(isDue(await rowOf(world, id))).toBe(true);
    expect(await discarded(world, path)).toBe(true);
  });

  test("waits until a title hasn't changed for five seconds", async ({ world }) => {
    await open(world);
    const { id } = await drawn(world);
    for (const [title, wait] of Object.entries({ "Bright mode": 0, "Brighter mode": 5_000, "Brightest mode": 5_000 })) {
      const asked = Date.now();
      await change(world, id, { title });
      const due = (await rowOf(world, id))!.due_at!.getTime();
      expect(due - asked).toBeGreaterThanOrEqual(wait - 5);
      expect(due - Date.now()).toBeLessThanOrEqual(wait + 5);
    }
    await timePasses(world, "6 seconds");
    const [wanted] = await claim(world);
    expect(wanted).toMatchObject({ post_id: id, title: "Brightest mode" });
    expect(await settle(world, wanted!, `${world.acme}/${randomUUID()}.png`)).toBe(true);
    await change(world, id, { title: "Dark mode again" });
    expect(isDue(await rowOf(world, id))).toBe(true);
  });

  test("is deleted with its file when the post is archived, and queued again when it is back", async ({ world }) => {
    await open(world);
    const { id, path } = await drawn(world);
    await change(world, id, { status: "archived" });
    expect(await rowOf(world, id)).toBeUndefined();
    expect(await discarded(world, path)).toBe(true);
    await change(world, id, { status: "draft" });
    await change(world, id, { status: "published" });
    expect(await rowOf(world, id)).toMatchObject({ path: null, wanted: 1 });
  });

  test("rendered while its title changed, or its post was deleted, isn't stored", async ({ world }) => {
    await open(world);
    const { id } = await world.post({ status: "published" });
    const [before] = await claim(world);
    await change(world, id, { title: "Another" });
    expect(await settle(world, before!, "late/one.png")).toBe(false);
    expect(await rowOf(world, id)).toMatchObject({ path: null, wanted: 2 });
    expect(isDue(await rowOf(world, id))).toBe(true);
    const [again] = await claim(world);
    await change(world, id, { status: "archived" });
    expect(await settle(world, again!, "late/two.png")).toBe(false);
    expect([await discarded(world, "late/one.png"), await discarded(world, "late/two.png")]).toEqual([true, true]);
  });

  test("is given up after six leases without a result, until the post changes", async ({ world }) => {
    await open(world);
    const { id } = await world.post({ status: "published" });
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      expect(await claim(world)).toMatchObject([{ post_id: id, attempt }]);
      await timePasses(world, "2 minutes");
    }
    expect(await claim(world)).toEqual([]);
    expect(isDue(await rowOf(world, id))).toBe(false);
    await change(world, id, { title: "Another" });
    expect(await claim(world)).toMatchObject([{ post_id: id, attempt: 1 }]);
  });

  test("that fails to render is retried with a growing delay, six times, and again after a change", async ({ world }) => {
    await open(world);
    const { id } = await world.post({ status: "published" });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const [wanted] = await claim(world);
      expect(wanted).toMatchObject({ post_id: id, attempt });
      expect(await settle(world, wanted!, null, "x".repeat(600))).toBe(false);
      const { due_at, error } = (await rowOf(world, id))!;
      expect(error).toHaveLength(500);
      if (due_at !== null) waits.push(Math.round((due_at.getTime() - Date.now()) / 60_000));
      await timePasses(world, "12 hours");
    }
    expect(waits).toEqual([1, 5, 30, 120, 720]);
    expect(await claim(world)).toEqual([]);
    await change(world, id, { title: "Another" });
    expect(await claim(world)).toMatchObject([{ post_id: id, attempt: 1 }]);
  });
});

describe("a workspace's own social image", () => {
  const own = async (world: World) => (await rows(world)).find(({ post_id }) => post_id === null);

  test("is queued from its creation on, and rendered while its changelog is open", async ({ world }) => {
    expect(isDue(await own(world))).toBe(true);
    await world.tx`update public.workspaces set public_changelog_enabled = false where id = ${world.acme}`;
    await world.tx`update private.link_pictures set due_at = null where workspace_id <> ${world.acme}`;
    expect(await claim(world)).toEqual([]);
    expect(isDue(await own(world))).toBe(false);
    await world.tx`update public.workspaces set public_changelog_enabled = true where id = ${world.acme}`;
    expect(await claim(world)).toMatchObject([{ workspace_id: world.acme, post_id: null, title: null }]);
  });

  testEach([
    ["its name", (world: World) => world.tx`update public.workspaces set name = 'Acme & Sons' where id = ${world.acme}`, true],
    [
      "its accent",
      (world: World) => world.as("owner", (me) => me`select public.save_appearance(${world.acme}, '{"accent": "#aa0000"}')`),
      true,
    ],
    [
      "its language",
      (world: World) => world.as("owner", (me) => me`select public.save_appearance(${world.acme}, '{"locale": "de"}')`),
      true,
    ],
    [
      "its footer",
      (world: World) => world.as("owner", (me) => me`select public.save_appearance(${world.acme}, '{"footer": "Bye"}')`),
      false,
    ],
    [
      "its widget",
      (world: World) =>
        world.as("owner", (me) => me`select public.save_widget_settings(${world.acme}, '{"appearance": {"theme": "dark"}}')`),
      false,
    ],
  ])("follows %s", async (world, _, does, follows) => {
    await open(world);
    await world.as("owner", (me) => me`select public.save_appearance(${world.acme}, '{"font": "geist"}')`);
    const { id, path } = await drawn(world);
    for (const wanted of await claim(world)) await settle(world, wanted, `${world.acme}/own.png`);
    await world.tx`update private.link_pictures set due_at = null, look_changed = false, path = coalesce(path, 'own') where workspace_id = ${world.acme}`;
    await does(world);
    expect(isDue(await own(world))).toBe(false);
    await timePasses(world, "20 seconds");
    const claimed = await claim(world);
    expect(claimed.map(({ post_id }) => post_id).toSorted()).toEqual(follows ? [null, id].toSorted() : []);
    expect(await rowOf(world, id)).toMatchObject({ path });
  });
});

test("rendering is fair between workspaces, latest changes first: one with many posts doesn't block others", async ({ world }) => {
  await open(world);
  for (let index = 0; index < 10; index += 1) await world.post({ status: "published", title: `Acme ${index}` });
  const [theirs] = await world.tx<{ id: string }[]>`
      insert into public.posts (workspace_id, title, content_raw, created_by, status)
      select ${world.globex}, 'Globex', '{"blocks": [{"type": "paragraph", "data": {"text": "x"}}]}', user_id, 'published'
      from public.members where workspace_id = ${world.globex} and role = 'owner' returning id`;
  const titles: (string | null)[] = [];
  for (let turn = 0; turn < 2; turn += 1) titles.push(...(await claim(world, 2)).map(({ title }) => title));
  expect(theirs).toBeDefined();
  expect(titles.slice(0, 2).toSorted()).toEqual(["Acme 9", "Globex"]);
  expect(titles.slice(2).toSorted()).toEqual(["Acme 7", "Acme 8"]);
});

describe("an image's path", () => {
  test("is public for public posts, otherwise the workspace's own is returned", async ({ world }) => {
    await open(world);
    const { id, path } = await drawn(world);
    const own = `${world.acme}/own.png`;
    await world.tx`update private.link_pictures set path = ${own} where workspace_id = ${world.acme} and post_id is null`;
    const { subdomain } = (
      await world.tx<{ subdomain: string }[]>`select subdomain::text from public.workspaces where id = ${world.acme}`
    )[0]!;
    const theirs = (await world.tx<{ subdomain: string }[]>`select subdomain::text from public.workspaces where id = ${world.globex}`)[0]!;
    const pathOf = async (of: string, post: string | null) =>
      (await world.tx<{ path: string | null }[]>`select private.og_image_path(${of}, ${post}) as path`)[0]!.path;
    expect([await pathOf(subdomain, id), await pathOf(subdomain, null), await pathOf(subdomain, randomUUID())]).toEqual([path, own, own]);
    expect(await pathOf(theirs.subdomain, id)).toBeNull();
    await world.tx`update public.workspaces set public_changelog_enabled = false where id = ${world.acme}`;
    expect([await pathOf(subdomain, id), await pathOf(subdomain, null)]).toEqual([null, null]);
  });
});

test("is leased to only one of many concurrent workers", async () => {
  await withWorkspace(sql, 0, async ({ workspace, owner }) => {
    await sql`update public.workspaces set public_changelog_enabled = true where id = ${workspace}`;
    await sql`insert into public.posts (workspace_id, title, content_raw, created_by, status)
      select ${workspace}, 'Post ' || n, ${sql.json(words("Text") as never)}, ${owner}, 'published' from generate_series(1, 30) as n`;
    const workers = connect(6);
    const taken = await Promise.all(Array.from({ length: 6 }, () => workers<Claimed[]>`select * from public.claim_link_pictures(10)`));
    const ids = taken.flat().map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
