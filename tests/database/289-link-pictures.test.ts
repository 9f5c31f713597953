import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { type World, test, testEach } from "./support/world.ts";

interface Row {
  id: string;
  post_id: string | null;
  path: string | null;
  due_at: Date | null;
  attempts: number | null;
  last_error: string | null;
}
interface Claimed {
  id: string;
  lease: string;
  attempt: number;
  workspace_id: string;
  workspace_name: string;
  title: string | null;
  post_id: string | null;
}

async function open({ tx, acme, globex }: World): Promise<void> {
  await tx`update public.workspaces set public_changelog_enabled = true where id = any (${[acme, globex]})`;
  await tx`update private.link_pictures set look_changed = false where workspace_id = any (${[acme, globex]})`;
  await tx`delete from private.jobs
    where id = any (array(select id from private.jobs where task = 'draw_og_image' for update skip locked))`;
}
const rows = async ({ tx, acme }: World) =>
  await tx<Row[]>`select l.*, nullif(j.run_at, 'infinity') as due_at, j.attempts, j.last_error
    from private.link_pictures l left join private.jobs j on j.id = l.id where l.workspace_id = ${acme} order by l.post_id nulls first`;
const rowOf = async (world: World, post: string) => (await rows(world)).find(({ post_id }) => post_id === post);
const isDue = (row: Row | undefined) => (row?.due_at ?? null) !== null && row!.due_at!.getTime() <= Date.now() + 1_000;
const end = ({ tx }: World, { id, lease }: Claimed, error: string | null = null) =>
  tx`select public.work_jobs(${tx.json([{ id, lease, error }])})`;
async function claim(world: World, room = 20): Promise<Claimed[]> {
  const { tx, acme, globex } = world;
  const jobs = await tx<Claimed[]>`select j.*, l.post_id
    from public.work_jobs('[]', ${tx.json({ draw_og_image: room })}) j left join private.link_pictures l on l.id = j.id`;
  const claimed: Claimed[] = [];
  for (const job of jobs.filter((one) => [acme, globex].includes(one.workspace_id))) {
    const [subject] = await tx`select * from public.og_image_to_draw(${job.id})`;
    if (subject === undefined) await end(world, job);
    else claimed.push({ ...job, ...(subject as { workspace_name: string; title: string | null }) });
  }
  return claimed;
}
const settle = async ({ tx }: World, { id, lease }: Claimed, path: string) =>
  (await tx<{ kept: boolean }[]>`select public.settle_og_image(${id}, ${lease}, ${path}) as kept`)[0]!.kept;
const discarded = async ({ tx }: World, path: string) =>
  (await tx`select from private.discarded_files where bucket = 'link-pictures' and path = ${path}`).length > 0;
const timePasses = ({ tx, acme, globex }: World, interval: string) =>
  tx`update private.jobs set run_at = run_at - ${interval}::text::interval
    where task = 'draw_og_image' and run_at < 'infinity' and workspace_id = any (${[acme, globex]})`;
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
    expect(await rowOf(world, id)).toMatchObject({ path: null, attempts: 0 });
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
    expect(await rowOf(world, id)).toMatchObject({ path: null });
  });

  test("rendered while its title changed, or its post was deleted, isn't stored", async ({ world }) => {
    await open(world);
    const { id } = await world.post({ status: "published" });
    const [before] = await claim(world);
    await change(world, id, { title: "Another" });
    expect(await settle(world, before!, "late/one.png")).toBe(false);
    expect(await rowOf(world, id)).toMatchObject({ path: null });
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
      await end(world, wanted!, "x".repeat(600));
      const { due_at, last_error } = (await rowOf(world, id))!;
      expect(last_error).toHaveLength(500);
      if (due_at !== null) waits.push(Math.round((due_at.getTime() - Date.now()) / 60_000));
      await timePasses(world, "14 hours");
    }
    expect(waits).toHaveLength(5);
    for (const [at, minutes] of [1, 5, 30, 120, 720].entries()) {
      expect(waits[at]).toBeGreaterThanOrEqual(minutes);
      expect(waits[at]).toBeLessThanOrEqual(Math.ceil(minutes * 1.1));
    }
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
    expect((await claim(world)).filter(({ workspace_id }) => workspace_id === world.acme)).toEqual([]);
    expect(isDue(await own(world))).toBe(false);
    await world.tx`update public.workspaces set public_changelog_enabled = true where id = ${world.acme}`;
    const claimed = (await claim(world)).filter(({ workspace_id }) => workspace_id === world.acme);
    expect(claimed).toMatchObject([{ post_id: null, title: null }]);
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
    await world.tx`update private.link_pictures set look_changed = false, path = coalesce(path, 'own') where workspace_id = ${world.acme}`;
    await world.tx`delete from private.jobs where task = 'draw_og_image' and workspace_id = ${world.acme}`;
    await does(world);
    expect(isDue(await own(world))).toBe(false);
    await timePasses(world, "20 seconds");
    const claimed = [...(await claim(world)), ...(await claim(world))];
    expect(claimed.map(({ post_id }) => post_id).toSorted()).toEqual(follows ? [null, id].toSorted() : []);
    expect(await rowOf(world, id)).toMatchObject({ path });
  });
});

test("rendering is fair between workspaces: one with many posts doesn't block others, and renders two at once", async ({ world }) => {
  await open(world);
  for (let index = 0; index < 10; index += 1) await world.post({ status: "published", title: `Acme ${index}` });
  const [theirs] = await world.tx<{ id: string }[]>`
      insert into public.posts (workspace_id, title, content_raw, created_by, status)
      select ${world.globex}, 'Globex', '{"blocks": [{"type": "paragraph", "data": {"text": "x"}}]}', user_id, 'published'
      from public.members where workspace_id = ${world.globex} and role = 'owner' returning id`;
  const titles = async () => (await claim(world, 2)).map(({ title }) => title).toSorted();
  expect(theirs).toBeDefined();
  expect(await titles()).toEqual(["Acme 0", "Globex"]);
  expect(await titles()).toEqual(["Acme 1"]);
  expect(await titles()).toEqual([]);
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
