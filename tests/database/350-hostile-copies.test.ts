import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { emailsToSend } from "./support/emails.ts";
import { outcome } from "./support/refusal.ts";
import { inDays, inWorld, newWorkspace, words, type World, test, testEach } from "./support/world.ts";

/** A workspace's copy may be forged; its content must not affect others. */

const at = "2026-11-26T09:00:00Z";

interface Copy {
  objects?: object;
  parts?: [part: string, rows: object[]][];
  source?: string;
}

async function begin({ tx, as, globex }: World, { objects = {}, parts = [], source = randomUUID() }: Copy): Promise<string> {
  await tx`insert into public.workspace_add_ons (workspace_id, add_on) values (${globex}, 'backup') on conflict do nothing`;
  const [begun] = await as(
    "rival",
    (me) => me<{ id: string }[]>`
      select public.begin_restore(${globex}, ${source}, 'tidings/x', 'Restored', ${`r-${randomUUID().slice(0, 12)}`}) ->> 'workspace_id' as id`,
  );
  const { id } = begun!;
  await tx`select public.restore_objects(${id}, ${tx.json({ workspace: { id, name: "x", allowed_origins: [] }, ...objects } as never)})`;
  for (const [part, rows] of parts) await tx`select public.restore_rows(${id}, ${part}, ${tx.json(rows as never)})`;
  return id;
}
async function restored(world: World, copy: Copy): Promise<string> {
  const id = await begin(world, copy);
  await world.tx`select public.finish_restore(${id}, false)`;
  return id;
}

const content = words("Hello");
const post = (id: string, more: object = {}) => ({
  ...{ id, title: "Dark mode", slug: `dark-${id}`, status: "draft", tags: [], content_raw: content, version: 5 },
  ...{ created_by_name: "x", author_name: "x", updated_by_name: "x", created_at: at, updated_at: at, content_updated_at: at },
  ...more,
});
const revision = (post_id: string, version: number) => ({
  ...{ post_id, version, status: "draft", title: "Dark mode", tags: [], content_raw: content },
  ...{ author_name: "x", created_at: at, post_author_name: "x" },
});
const imported = (post_id: string, version: number, more: object = {}): [string, object[]][] => {
  const id = randomUUID();
  return [
    ["imports", [{ id, source: "markdown", name: "x", total: 1, created_by_name: "x", created_at: at }]],
    [
      "import_entries",
      [
        {
          ...{ import_id: id, external_id: "x", place: 1, title: "x", outcome: "made", post_id, version, made_at: at },
          ...{ fingerprint: "0".repeat(64), ...more },
        },
      ],
    ],
  ];
};

describe("an import in a copy that names another workspace's post", () => {
  const played = (more: object, look: (world: World, id: string) => Promise<void>) => () =>
    inWorld(async (world) => {
      const { tx, as } = world;
      const mine = await world.post({ title: "Mine" });
      await as("owner", (me) => me`update public.posts set title = 'Mine, changed' where id = ${mine.id}`);
      const id = await restored(world, { parts: imported(mine.id, 2, more) });
      const [one] = await tx`select id from public.imports where workspace_id = ${id}`;
      const [undone] = await as("rival", (me) => me<{ answer: object }[]>`select public.undo_import(${id}, ${one!.id}) as answer`);
      expect(undone!.answer).toMatchObject({ unfinished: false });
      await look(world, mine.id);
    });

  test(
    "doesn't delete it",
    played({}, async ({ tx }, id) => {
      expect([...(await tx`select title, version from public.posts where id = ${id}`)]).toEqual([{ title: "Mine, changed", version: 2 }]);
    }),
  );

  test(
    "doesn't restore an earlier version of it",
    played({ outcome: "replaced", before: 1, was_quiet: false }, async ({ tx }, id) => {
      expect([...(await tx`select title, version from public.posts where id = ${id}`)]).toEqual([{ title: "Mine, changed", version: 2 }]);
    }),
  );

  test("doesn't reveal that it exists", async ({ world }) => {
    const mine = await world.post();
    const id = await restored(world, { parts: imported(mine.id, 1) });
    const [one] = await world.tx`select id from public.imports where workspace_id = ${id}`;
    const [read] = await world.as("rival", (me) => me`select public.read_import(${id}, ${one!.id}) #>> '{entries,0,post_id}' as post`);
    expect(read).toEqual({ post: null });
  });
});

test("a copy made during a save restores posts that can be saved", async ({ world }) => {
  const id = randomUUID();
  await restored(world, {
    parts: [
      ["posts", [post(id)]],
      ["post_revisions", [4, 5, 6].map((version) => revision(id, version))],
    ],
  });
  await world.as("rival", (me) => me`update public.posts set title = 'Changed' where id = ${id}`);
  const versions = await world.tx`select version, title from public.post_revisions where post_id = ${id} order by version`;
  expect(versions.map(({ version }) => version as number)).toEqual([4, 5, 6]);
  expect(versions.at(-1)!.title).toBe("Changed");
});

test("a post with the maximum version can be saved", async ({ world }) => {
  const id = randomUUID();
  await restored(world, { parts: [["posts", [post(id, { version: 2_147_483_647 })]]] });
  const saved = await world.as("rival", (me) => me`update public.posts set title = 'Changed' where id = ${id} returning version`);
  expect([...saved]).toEqual([{ version: 1_000_000_001 }]);
});

testEach<[string, Copy]>([
  ["a post", { parts: [["posts", [post(randomUUID(), { updated_at: "infinity" })]]] }],
  ["a scheduled post", { parts: [["posts", [post(randomUUID(), { status: "scheduled", publish_at: " Infinity" })]]] }],
  ["a tag", { parts: [["tags", [{ label: "News", colour: "red", created_at: "-infinity" }]]] }],
  ["a count", { parts: [["daily_counts", [{ post_id: randomUUID(), what: "view", day: "infinity", source: "page", n: 1 }]]] }],
  ["a tag of the year 20000", { parts: [["tags", [{ label: "News", colour: "red", created_at: "20000-01-01T00:00:00Z" }]]] }],
  [
    "the mail settings",
    { objects: { mail_settings: { enabled: true, undo_minutes: 5, time_zone: "UTC", held_at: "infinity", held_reason: "bounces" } } },
  ],
  ["the house style", { objects: { house_style: { text: "x", updated_by_name: "x", updated_at: "-infinity" } } }],
])("a copy with an infinite date is refused: %s", async (world, _, copy) => {
  expect(await outcome(world.tx.savepoint(() => begin(world, copy)))).toBe("22008");
});

test("a due post that can't be published doesn't block others", async ({ world }) => {
  const { tx } = world;
  const [bad, good] = [await world.post({ publish_at: inDays(1) }), await world.post({ publish_at: inDays(1) })];
  await tx`set local session_replication_role = replica`;
  await tx`update public.posts set publish_at = now() - interval '9 years', version = 2147483647 where id = ${bad.id}`;
  await tx`update public.posts set publish_at = now() - interval '8 years' where id = ${good.id}`;
  await tx`set local session_replication_role = origin`;
  await tx`select private.publish_due_posts(1)`;
  const states = await tx`select id, status from public.posts where id in (${bad.id}, ${good.id})`;
  expect(Object.fromEntries(states.map(({ id, status }) => [id, status]))).toEqual({ [bad.id]: "scheduled", [good.id]: "published" });
});

test("an unknown time zone is UTC, and an outdated one doesn't block others' emails", async ({ world }) => {
  const { tx, acme } = world;
  const mails = { workspace_id: randomUUID(), enabled: true, undo_minutes: 5, time_zone: "Nowhere/Nope", released_at: "9999-01-01" };
  const id = await restored(world, { objects: { mail_settings: mails } });
  const [settings] = await tx`select time_zone, released_at <= now() as is_past from public.mail_settings where workspace_id = ${id}`;
  expect(settings).toEqual({ time_zone: "UTC", is_past: true });
  const never = await restored(world, { objects: { mail_settings: { ...mails, released_at: null } } });
  expect([...(await tx`select released_at from public.mail_settings where workspace_id = ${never}`)]).toEqual([{ released_at: null }]);
  await tx`update public.mail_settings set enabled = true, time_zone = 'Gone/Meanwhile' where workspace_id = ${acme}`;
  await tx`insert into public.workspace_add_ons (workspace_id, add_on) values (${acme}, 'reports') on conflict do nothing`;
  await tx`select public.enqueue_digests(), public.enqueue_reports('2026-12-02T12:00:00Z')`;
});

testEach<[string, string | null]>([
  ["public", null],
  ["unlisted", "unlisted"],
  ["password", "members"], // a copy has no password
  ["members", "members"],
  ["nobody", null],
])("a copy of a changelog whose access is %s has %s", async (world, access, kept) => {
  const id = await restored(world, { objects: { reader_access: { access, password_hash: "x", generation: 7 } } });
  const rows = await world.tx`select access, password_hash, generation from private.reader_access where workspace_id = ${id}`;
  expect([...rows]).toEqual(kept === null ? [] : [{ access: kept, password_hash: null, generation: 1 }]);
});

test("saturated numbers stay, and others still count", async ({ world }) => {
  const { tx, acme } = world;
  const [days] = await tx<{ today: string; before: string }[]>`select current_date::text as today, (current_date - 1)::text as before`;
  const { today, before } = days!;
  const count = (day: string, what: string, source: string) => ({ post_id: null, what, day, source, n: 2_147_483_647 });
  const hosts = Array.from({ length: 60 }, (_, host) => count(before, "referrer", `host-${host}.example`));
  const id = await restored(world, { parts: [["daily_counts", [count(today, "view", "page"), ...hosts]]] });
  await tx`update public.daily_counts set n = 2147483647 where workspace_id = ${id}`;
  await tx`update private.workspace_counts set views = 2147483647 where workspace_id = ${id}`;
  await tx`insert into private.name_days (workspace_id, day) values (${id}, ${before})`;
  for (const workspace of [id, acme])
    await tx`insert into private.count_queue (workspace_id, what, day, source) values (${workspace}, 'view', ${today}, 'page')`;
  await tx`select private.roll_up_counts()`;
  const counted = await tx`select n from public.daily_counts where workspace_id in (${id}, ${acme}) and what = 'view' order by n`;
  expect(counted.map(({ n }) => n as number)).toEqual([1, 2_147_483_647]);
  await tx`select private.tidy_up()`;
  const [other] = await tx`select n from public.daily_counts where workspace_id = ${id} and source = 'other'`;
  expect(other).toEqual({ n: 2_147_483_647 });
});

test("a subscriber with a member's id gets nothing of the member's and deletes nothing of it", async ({ world }) => {
  const { tx, acme, people } = world;
  await tx`update public.workspaces set public_changelog_enabled = true where id = ${acme}`;
  await tx`insert into public.mail_settings (workspace_id, enabled) values (${acme}, true)
      on conflict (workspace_id) do update set enabled = true`;
  const thief = { id: people.editor, email: "thief@evil.example", status: "active", frequency: "instant", generation: 1, consent: {} };
  await begin(world, { parts: [["subscribers", [{ ...thief, created_at: at, confirmed_at: at, last_digest_at: at }]]] });
  await tx`select private.enqueue_member_email(${acme}, 'mentioned', ${people.editor}, ${tx.json({ subject: "a thread", by: "Ada" })})`;
  const mails = await emailsToSend(tx, [acme]);
  expect(mails.map(({ email }) => email as string)).toEqual([`editor-${people.editor}@example.com`]);
});

test("our own copy doesn't resubscribe a reader who left, even where someone has entered the address since", async ({ world }) => {
  const { tx, globex } = world;
  const email = `${randomUUID()}@example.com`;
  await tx`insert into public.subscribers (workspace_id, email, status, left_at) values (${globex}, ${email}, 'pending', now())`;
  const reader = { id: randomUUID(), email, status: "active", frequency: "instant", generation: 1, consent: {} };
  const id = await begin(world, {
    source: globex,
    parts: [["subscribers", [{ ...reader, created_at: at, confirmed_at: at, last_digest_at: at }]]],
  });
  await tx`select public.finish_restore(${id}, true)`;
  expect([...(await tx`select status from public.subscribers where workspace_id = ${id}`)]).toEqual([{ status: "left" }]);
});

describe("a copy with another owner's ids", () => {
  const bring = async ({ tx, as, acme }: World, source: string, parts: Copy["parts"]): Promise<string> => {
    await tx`insert into public.workspace_add_ons (workspace_id, add_on) values (${acme}, 'backup') on conflict do nothing`;
    const [begun] = await as(
      "owner",
      (me) => me`select public.begin_restore(${acme}, ${source}, 'tidings/x', 'Restored', ${`r-${randomUUID().slice(0, 12)}`})
        ->> 'workspace_id' as id`,
    );
    const id = begun!.id as string;
    for (const [part, rows] of parts!) await tx`select public.restore_rows(${id}, ${part}, ${tx.json(rows as never)})`;
    await tx`select public.finish_restore(${id}, true)`;
    return id;
  };
  const reader = (id: string) => ({
    ...{ id, email: `${id}@reader.example`, status: "active", frequency: "instant", generation: 1, consent: {} },
    ...{ created_at: at, confirmed_at: at, last_digest_at: at },
  });
  const back = async ({ tx }: World, id: string) => ({
    posts: (await tx`select id from public.posts where workspace_id = ${id}`).map((row) => row.id as string),
    revisions: (await tx`select post_id from public.post_revisions where workspace_id = ${id}`).map((row) => row.post_id as string),
    readers: (await tx`select id from public.subscribers where workspace_id = ${id}`).map((row) => row.id as string),
  });

  testEach([
    ["that is put back", begin],
    ["that was put back", restored],
  ])("%s in the same workspace takes none from its owner", async (world, _, first) => {
    const [source, mine, someone] = [randomUUID(), randomUUID(), randomUUID()];
    await first(world, { source });
    const id = await bring(world, source, [
      ["posts", [post(mine)]],
      ["post_revisions", [revision(mine, 5)]],
      ["subscribers", [reader(someone)]],
    ]);
    expect(await back(world, id)).toMatchObject({ posts: [mine], readers: [someone] });
  });

  test("that was restored first doesn't block the rest: its rows get ids of their own", async ({ world }) => {
    const [source, held, free, someone] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await restored(world, { parts: [["posts", [post(held)]]] });
    await begin(world, { parts: [["subscribers", [reader(someone)]]] });
    const id = await bring(world, source, [
      ["posts", [post(held), post(free)]],
      ["post_revisions", [revision(held, 5), revision(free, 5)]],
      ["subscribers", [reader(someone)]],
    ]);
    const { posts, revisions, readers } = await back(world, id);
    expect([posts.length, posts.includes(free), posts.includes(held), readers.includes(someone), readers.length]).toEqual([
      ...[2, true, false, false, 1],
    ]);
    expect(new Set(revisions)).toEqual(new Set(posts));
    expect(await world.tx`select from private.taken_ids where workspace_id = ${id}`).toHaveLength(0);
  });

  test("restored twice by the same user gets other ids", async ({ world }) => {
    const [source, mine] = [randomUUID(), randomUUID()];
    for (const same of [true, false]) {
      const id = await bring(world, source, [["posts", [post(mine)]]]);
      expect((await back(world, id)).posts.includes(mine)).toBe(same);
    }
  });
});

describe("an interrupted restore", () => {
  const silent = ({ tx }: World, id: string) =>
    tx`update private.restores set alive_at = clock_timestamp() - interval '11 minutes' where workspace_id = ${id}`;
  const left = async ({ tx }: World, id: string) => ({
    posts: (await tx`select from public.posts where workspace_id = ${id}`).length,
    workspaces: (await tx`select from public.workspaces where id = ${id}`).length,
  });

  test("is deleted by the clock in batches after ten idle minutes, and doesn't affect the next one", async ({ world }) => {
    const posts = Array.from({ length: 3 }, () => post(randomUUID()));
    const id = await begin(world, { parts: [["posts", posts]] });
    const clock = () => world.tx`select private.delete_abandoned_restores(2)`;
    await clock();
    expect(await left(world, id)).toEqual({ posts: 3, workspaces: 1 });
    await silent(world, id);
    await begin(world, {});
    expect(await left(world, id)).toEqual({ posts: 3, workspaces: 1 });
    await clock();
    expect(await left(world, id)).toEqual({ posts: 1, workspaces: 1 });
    await clock();
    await clock();
    expect(await left(world, id)).toEqual({ posts: 0, workspaces: 0 });
  });
});

describe("a restore that was idle for ten minutes", () => {
  testEach([
    ["restore_rows", "select public.restore_rows($1, 'tags', '[]')"],
    ["restore_objects", "select public.restore_objects($1, '{}')"],
    ["finish_restore", "select public.finish_restore($1, true)"],
  ])("ends, even if nothing was deleted yet: %s", async (world, _, statement) => {
    const id = await begin(world, {});
    await world.tx`update private.restores set alive_at = clock_timestamp() - interval '11 minutes' where workspace_id = ${id}`;
    expect(await outcome(world.tx.savepoint((tx) => tx.unsafe(statement, [id])))).toBe("not_found");
  });

  test("keeps its names until it is deleted", async ({ world }) => {
    const source = randomUUID();
    const id = await begin(world, { source });
    const again = (person: "rival" | "owner", workspace: string, from = source, subdomain = `r-${randomUUID().slice(0, 12)}`) =>
      outcome(world.as(person, (me) => me`select public.begin_restore(${workspace}, ${from}, 'tidings/x', 'Restored', ${subdomain})`));
    const [made] = await world.tx`select subdomain from public.workspaces where id = ${id}`;
    await world.tx`update private.restores set alive_at = clock_timestamp() - interval '3 minutes' where workspace_id = ${id}`;
    expect(await again("rival", world.globex)).toBe("validation_failed");
    expect(await again("rival", world.globex, randomUUID(), made!.subdomain as string)).toBe("validation_failed");
    await world.tx`insert into public.workspace_add_ons (workspace_id, add_on) values (${world.acme}, 'backup') on conflict do nothing`;
    expect(await again("owner", world.acme)).toBe("allowed");
    await world.tx`update private.restores set alive_at = clock_timestamp() - interval '11 minutes' where workspace_id = ${id}`;
    await world.tx`select private.delete_abandoned_restores()`;
    expect(await again("rival", world.globex, source, made!.subdomain as string)).toBe("allowed");
  });
});

test("backups of one owner's workspaces run one after the other, and of others concurrently", async ({
  world: { tx, acme, globex, people },
}) => {
  const due = async (workspace: string, minutes: number): Promise<void> => {
    await tx`select private.start_backup(${workspace}, false)`;
    await tx`update private.jobs set run_at = run_at - make_interval(mins => ${minutes}) where task = 'backup' and workspace_id = ${workspace}`;
  };
  const second = await newWorkspace(tx, people.owner, "Second");
  await due(acme, 3);
  await due(second, 2);
  await due(globex, 1);
  const mine = [acme, second, globex];
  const claim = async (ended: object[] = []) => {
    const jobs = await tx<
      { id: string; lease: string; workspace_id: string }[]
    >`select * from public.work_jobs(${tx.json(ended as never)}, '{"backup": 50}')`;
    return jobs.filter(({ workspace_id }) => mine.includes(workspace_id));
  };
  const taken = await claim();
  expect(taken.map(({ workspace_id }) => workspace_id).toSorted()).toEqual([acme, globex].toSorted());
  expect(await claim()).toEqual([]);
  expect(await claim([taken.find(({ workspace_id }) => workspace_id === acme)!])).toMatchObject([{ workspace_id: second }]);
});
