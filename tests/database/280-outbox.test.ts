import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { describe, expect, inject, onTestFinished, vi } from "vitest";
import { committedAs, withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { emailsToSend, enqueueEmails, sendEmails, settleEmails } from "./support/emails.ts";
import { inDays, type Person, type World, words, test, testEach } from "./support/world.ts";

const sql = connect();

interface Reader {
  status?: string;
  frequency?: string;
  tags?: string[] | null;
  last_digest_at?: string | null;
}

async function reader({ tx, acme }: World, { status = "active", frequency = "instant", tags = null, last_digest_at = null }: Reader = {}) {
  const [row] = await tx<{ id: string; email: string }[]>`
    insert into public.subscribers (workspace_id, email, status, frequency, tags, confirmed_at, last_digest_at)
    values (${acme}, ${`${randomUUID()}@reader.example`}, ${status}, ${frequency}, ${tags}, now(), ${last_digest_at}) returning id, email`;
  return row!;
}

async function open({ tx, acme }: World, minutes = 0): Promise<void> {
  await tx`set local session_replication_role = replica`;
  await tx`update public.workspaces set public_changelog_enabled = true where id = ${acme}`;
  await tx`set local session_replication_role = origin`;
  await tx`update public.mail_settings set undo_minutes = ${minutes} where workspace_id = ${acme}`;
}
const publish = (world: World, tags: string[] = []) => world.post({ status: "published", tags });
const prepare = ({ tx, acme, globex }: World, most?: number) => enqueueEmails(tx, [acme, globex], most);
const claim = ({ tx, acme, globex }: World) => emailsToSend(tx, [acme, globex]);
const deliveries = ({ tx, acme }: World) => tx`select * from private.deliveries where workspace_id = ${acme}`;
const events = ({ tx, acme }: World) => tx`select * from private.events where workspace_id = ${acme}`;
const timePasses = async ({ tx, acme, globex }: World, interval: string) => {
  const own = [acme, globex];
  await tx`update private.deliveries set due_at = due_at - ${interval}::text::interval where workspace_id = any (${own})`;
  await tx`update private.events set due_at = due_at - ${interval}::text::interval where workspace_id = any (${own})`;
};

describe("a publication", () => {
  test("is one event, however often it is archived, restored and published again after it was sent", async ({ world }) => {
    await open(world);
    const post = await publish(world);
    expect(await events(world)).toHaveLength(1);
    await prepare(world);
    for (const status of ["archived", "draft", "published"])
      await world.as("owner", (me) => me`update public.posts set status = ${status} where id = ${post.id}`);
    expect(await events(world)).toHaveLength(1);
  });

  test("that is archived before it was sent is dropped, and is news when published again", async ({ world }) => {
    await open(world, 5);
    const post = await publish(world);
    const setTo = (status: string) => world.as("owner", (me) => me`update public.posts set status = ${status} where id = ${post.id}`);
    await setTo("archived");
    expect(await events(world)).toHaveLength(0);
    await setTo("draft");
    await setTo("published");
    expect(await events(world)).toHaveLength(1);
  });

  test("by schedule is an event too; edits aren't, and quiet ones are sent to no one", async ({ world }) => {
    await open(world);
    const post = await world.post({ status: "scheduled", publish_at: new Date(Date.now() + 3_600_000) });
    await world.tx`set local session_replication_role = replica`;
    await world.tx`update public.posts set publish_at = now() - interval '1 minute' where id = ${post.id}`;
    await world.tx`set local session_replication_role = origin`;
    expect(await events(world)).toHaveLength(0);
    await world.tx`select private.publish_due_posts()`;
    expect(await events(world)).toHaveLength(1);
    await world.as(
      "owner",
      (me) => me`update public.posts set title = 'Another', content_raw = ${words("Other words") as never} where id = ${post.id}`,
    );
    expect(await events(world)).toHaveLength(1);
    await world.tx`set local tidings.quiet = 'on'`;
    for (let post = 0; post < 20; post += 1) await publish(world);
    await world.tx`set local tidings.quiet = ''`;
    expect((await events(world)).filter(({ quiet }) => !quiet)).toHaveLength(1);
    await prepare(world);
    expect((await events(world)).filter(({ told_at }) => told_at === null)).toHaveLength(0);
  });

  test("is sent once to subscribers of everything or of its tag at that time, when it is due", async ({ world }) => {
    await open(world, 5);
    const [all, fixes] = [await reader(world), await reader(world, { tags: ["fix", "docs"] })];
    for (const other of [{ tags: ["docs"] }, { frequency: "daily" }, { status: "pending" }, { status: "left" }, { status: "paused" }])
      await reader(world, other);
    await publish(world, ["fix"]);
    await prepare(world);
    expect(await deliveries(world)).toHaveLength(0);
    await timePasses(world, "6 minutes");
    await prepare(world);
    await prepare(world);
    expect((await deliveries(world)).map(({ target_id }) => target_id).sort()).toEqual([all.id, fixes.id].sort());
  });
});

describe("a publication to many", () => {
  test("is sent in batches, each reader once", async ({ world }) => {
    await open(world);
    for (let n = 0; n < 5; n += 1) await reader(world);
    await publish(world);
    const [event] = await events(world);
    const send = async () => {
      const sent = await world.tx`select * from public.emails_to_send(${event!.id as string}, 3)`;
      const [row] = await settleEmails(
        world.tx,
        sent.map(({ id }) => ({ id: id as string, outcome: "done" })),
        event!.id as string,
      );
      return { emails: sent.map(({ email }) => email as string), isMore: row!.seconds !== null };
    };
    const [first, second] = [await send(), await send()];
    expect([first.emails.length, first.isMore, second.emails.length, second.isMore]).toEqual([3, true, 2, false]);
    expect(new Set([...first.emails, ...second.emails]).size).toBe(5);
    expect((await events(world))[0]!.told_at).not.toBeNull();
  });

  test("with more retries due than a batch sends them, and then the rest", async ({ world }) => {
    await open(world);
    for (let n = 0; n < 5; n += 1) await reader(world);
    await publish(world);
    const [event] = await events(world);
    const send = (batch: number) => world.tx`select * from public.emails_to_send(${event!.id as string}, ${batch})`;
    const sent = await send(4);
    await settleEmails(
      world.tx,
      sent.map(({ id }) => ({ id: id as string, outcome: "again" })),
      event!.id as string,
    );
    await timePasses(world, "1 day");
    expect([sent.length, (await send(2)).length]).toEqual([4, 2]);
  });

  test("has one job, with its event's id, due when it can't be undone", async ({ world }) => {
    await open(world, 5);
    for (let n = 0; n < 5; n += 1) await reader(world);
    await publish(world);
    await timePasses(world, "6 minutes");
    const [event] = await events(world);
    await prepare(world, 3);
    const jobs = await world.tx`select id, round(extract(epoch from run_at - clock_timestamp()) / 60)::int as minutes from private.jobs
      where workspace_id = ${world.acme} and task = 'send_emails'`;
    expect([...jobs]).toEqual([{ id: event!.id as string, minutes: 5 }]);
  });

  test("is not news again when it is unpublished and republished halfway", async ({ world }) => {
    await open(world);
    for (let n = 0; n < 3; n += 1) await reader(world);
    const post = await publish(world);
    await prepare(world, 2);
    for (const status of ["archived", "draft", "published"])
      await world.as("owner", (me) => me`update public.posts set status = ${status} where id = ${post.id}`);
    await timePasses(world, "6 minutes");
    await prepare(world);
    expect([(await events(world)).length, (await deliveries(world)).length]).toEqual([1, 3]);
  });
});

describe("a worker", () => {
  test("gets due emails with all their data, again until they are settled", async ({ world }) => {
    await open(world);
    const ana = await reader(world);
    const post = await publish(world);
    await prepare(world);
    const [taken] = await claim(world);
    expect(taken).toMatchObject({ kind: "post", workspace_name: "Acme", email: ana.email, posts: [post.id] });
    expect(taken!.token).toMatch(/^[\w-]{48}$/);
    expect(await claim(world)).toMatchObject([{ id: taken!.id }]);
    await settleEmails(world.tx, [{ id: taken!.id as string, outcome: "done" }]);
    expect(await claim(world)).toHaveLength(0);
  });

  test("skips emails that became pointless: the reader left, the post is archived, the changelog closed", async ({ world }) => {
    await open(world);
    const [ana, ben] = [await reader(world), await reader(world)];
    const post = await publish(world);
    await prepare(world);
    await world.tx`update public.subscribers set status = 'left' where id = ${ana.id}`;
    await world.as("owner", (me) => me`select public.save_post(${post.id}, '{"status": "archived"}')`);
    expect(await claim(world)).toHaveLength(0);
    expect((await deliveries(world)).map(({ state, attempt }) => [state, attempt])).toEqual([
      ["dropped", 0],
      ["dropped", 0],
    ]);
    expect(ben.id).not.toBe(ana.id);
  });

  test("gets a growing retry delay; after a day the delivery has failed", async ({ world }) => {
    await open(world);
    await reader(world);
    await publish(world);
    await prepare(world);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      const [taken] = await claim(world);
      expect((await deliveries(world))[0]!.attempt).toBe(attempt);
      await settleEmails(world.tx, [{ id: taken!.id as string, outcome: "again", status: 500, error: "x".repeat(2_000) }]);
      const [row] =
        await world.tx`select state, error, extract(epoch from due_at - clock_timestamp()) as wait from private.deliveries where id = ${taken!.id as string}`;
      expect(row!.error).toHaveLength(500);
      if (row!.state === "waiting") waits.push(Math.round(Number(row!.wait) / 60));
      await timePasses(world, "1 day");
    }
    expect(waits).toEqual([1, 5, 30, 120, 360, 1_440]);
    expect(await deliveries(world)).toMatchObject([{ state: "failed", status: 500 }]);
    expect(await claim(world)).toHaveLength(0);
  });
});

test("a workspace being deleted neither delays other workspaces' emails nor causes a deadlock", async () => {
  const warnings: string[] = [];
  const worker = postgres(inject("stack").dbUrl, { max: 1, onnotice: ({ message }) => warnings.push(message!) });
  onTestFinished(() => worker.end());
  await worker`set lock_timeout = '2s'`;
  await withWorkspace(sql, 0, async ({ owner, workspace }) => {
    await sql`update public.workspaces set public_changelog_enabled = true where id = ${workspace}`;
    await sql`update public.mail_settings set undo_minutes = 60 where workspace_id = ${workspace}`;
    await sql`insert into public.subscribers (workspace_id, email, status, frequency, confirmed_at, last_digest_at)
      select ${workspace}, f || '@reader.example', 'active', f::public.subscriber_frequency, now(), now() + interval '1 day' -- not yet
      from unnest('{instant,daily}'::text[]) as f`;
    await committedAs(
      sql,
      owner,
      (me) => me`select public.create_post(${workspace}, 'News', ${words("text") as never}, status => 'published')`,
    );
    await sql`insert into private.deliveries (workspace_id, kind, target_id, due_at)
      values (${workspace}, 'confirmation', ${randomUUID()}, now() + interval '1 day')`;
    const told = async () =>
      (await worker`select kind from private.deliveries where workspace_id = ${workspace} and kind <> 'confirmation' order by 1`).map(
        ({ kind }) => kind as string,
      );
    await committedAs(
      sql,
      owner,
      (me) =>
        me`select public.create_post(${workspace}, 'Soon', ${words("text") as never}, status => 'scheduled', publish_at => now() + interval '1 hour')`,
    );
    const due = async () => (await worker`select from public.posts where workspace_id = ${workspace} and status = 'scheduled'`).length;
    const still = new Error("it is not deleted after all");
    await sql
      .begin(async (deletion) => {
        await deletion`select from public.workspaces where id = ${workspace} for update`;
        await worker`update private.events set due_at = '2026-02-02', happened_at = '2026-02-02' where workspace_id = ${workspace}`;
        await worker`update public.subscribers set last_digest_at = '2026-01-01T00:00:00Z' where workspace_id = ${workspace}`;
        await worker.begin(async (tx) => {
          await tx`set local session_replication_role = replica`;
          await tx`update public.posts set publish_at = now() where workspace_id = ${workspace} and status = 'scheduled'`;
        });
        await enqueueEmails(worker, []);
        await emailsToSend(worker, [workspace]);
        await worker`select private.publish_due_posts()`;
        expect([await told(), await due(), warnings]).toEqual([[], 1, []]);
        throw still;
      })
      .catch((error: unknown) => expect(error).toBe(still));
    await vi.waitFor(
      async () => {
        await enqueueEmails(worker, []);
        await emailsToSend(worker, [workspace]);
        await worker`select private.publish_due_posts()`;
        expect([await told(), await due()]).toEqual([["digest", "post"], 0]);
      },
      { timeout: 30_000, interval: 200 },
    ); // the stack's own worker may be running
  });
});

describe("a digest", () => {
  const since = "2026-01-01T00:00:00Z";
  test("sends what was published since the last one once, to its subscribers, and is skipped when empty", async ({ world }) => {
    await open(world);
    const [daily, weekly] = [
      await reader(world, { frequency: "daily", last_digest_at: since }),
      await reader(world, { frequency: "weekly", last_digest_at: since }),
    ];
    await reader(world, { frequency: "daily", last_digest_at: since, tags: ["docs"] });
    const post = await publish(world, ["fix"]);
    await world.tx`set local session_replication_role = replica`;
    await world.tx`update public.posts set published_at = '2026-02-01T00:00:00Z' where id = ${post.id}`;
    await world.tx`set local session_replication_role = origin`;
    // Published back-dated: what counts is when it became news.
    await world.tx`update private.events set happened_at = '2026-02-02T00:00:00Z', told_at = now() where workspace_id = ${world.acme}`;
    await prepare(world);
    await prepare(world);
    const taken = await claim(world);
    expect(taken.map(({ email }) => email).sort()).toEqual([daily.email, weekly.email].sort());
    for (const delivery of taken) expect(delivery).toMatchObject({ kind: "digest", posts: [post.id] });
  });

  test("is created after its posts' undo window", async ({ world }) => {
    await open(world);
    await world.tx`select private.last_digest_time('UTC', 'daily')`;
    const { id } = await reader(world, { frequency: "daily" });
    // A time zone in which it was nine o'clock two minutes ago, as a POSIX string.
    const zone = `XXX${((minutes) => `${minutes < 0 ? "-" : ""}${Math.floor(Math.abs(minutes) / 60)}:${Math.abs(minutes) % 60}`)(
      new Date().getUTCHours() * 60 + new Date().getUTCMinutes() - 9 * 60 - 2,
    )}`;
    await world.tx`update public.mail_settings set time_zone = ${zone}, undo_minutes = 5 where workspace_id = ${world.acme}`;
    await world.tx`update public.subscribers set last_digest_at = now() - interval '20 hours' where id = ${id}`;
    await publish(world);
    await world.tx`update private.events set happened_at = now() - interval '3 minutes' where workspace_id = ${world.acme}`;
    await prepare(world);
    expect(await deliveries(world)).toHaveLength(0);
    await world.tx`update public.mail_settings set undo_minutes = 1 where workspace_id = ${world.acme}`;
    await prepare(world);
    expect(await deliveries(world)).toHaveLength(1);
  });
});

describe("a reader who changes frequency", () => {
  const change = ({ tx }: World, id: string, rhythm: string) =>
    tx`select private.change_rhythm(${id}, ${rhythm}::text::public.subscriber_frequency)`;
  const lastDigest = async ({ tx }: World, id: string) =>
    (await tx`select last_digest_at from public.subscribers where id = ${id}`)[0]!.last_digest_at as Date;
  const since = inDays(-3).toISOString();

  testEach([
    ["weekly", "daily"],
    ["daily", "weekly"],
  ])("from %s to %s misses nothing since the last digest", async (world, from, to) => {
    const { id } = await reader(world, { frequency: from, last_digest_at: since });
    const before = await lastDigest(world, id);
    await change(world, id, to);
    expect(await lastDigest(world, id)).toEqual(before);
  });

  test("from instant to daily gets unsent posts in the first digest, and no sent ones", async ({ world }) => {
    await open(world);
    const { id } = await reader(world);
    await publish(world);
    await prepare(world);
    await world.tx`update public.mail_settings set undo_minutes = 5 where workspace_id = ${world.acme}`;
    const post = await publish(world);
    await change(world, id, "daily");
    const news =
      await world.tx`select n.id from public.subscribers s, private.posts_to_announce(s.workspace_id, s.last_digest_at, clock_timestamp()) n
        where s.id = ${id}`;
    expect(news.map((row) => row.id as string)).toEqual([post.id]);
  });

  test("from daily to instant gets the pending digest's posts once, without those sent instantly", async ({ world }) => {
    await open(world);
    const { id } = await reader(world, { frequency: "daily", last_digest_at: since });
    const told = await publish(world);
    await prepare(world);
    await world.tx`delete from private.deliveries where target_id = ${id}`;
    await world.tx`update public.subscribers set last_digest_at = ${since} where id = ${id}`;
    await world.tx`update public.mail_settings set undo_minutes = 5 where workspace_id = ${world.acme}`;
    const untold = await publish(world);
    await change(world, id, "instant");
    await change(world, id, "daily");
    await change(world, id, "instant");
    await timePasses(world, "6 minutes");
    await prepare(world);
    const mails = (await claim(world)).filter(({ kind }) => ["digest", "post"].includes(kind as string));
    expect(mails.map(({ kind, posts }) => [kind, posts]).sort()).toEqual([
      ["digest", [told.id]],
      ["post", [untold.id]],
    ]);
  });
});

test("a reader who changes frequency during a batch waits for its lock, and misses no post", async () => {
  await withWorkspace(sql, 0, async ({ owner, workspace }) => {
    await sql`update public.workspaces set public_changelog_enabled = true where id = ${workspace}`;
    await sql`update public.mail_settings set undo_minutes = 60 where workspace_id = ${workspace}`;
    const [added] = await sql`insert into public.subscribers (workspace_id, email, status, frequency, confirmed_at, last_digest_at)
      values (${workspace}, 'daily@reader.example', 'active', 'daily', now(), now() - interval '1 hour') returning id`;
    const { id } = added!;
    await committedAs(
      sql,
      owner,
      (me) => me`select public.create_post(${workspace}, 'News', ${words("text") as never}, status => 'published')`,
    );
    await sql`update private.events set due_at = now() + interval '50 seconds' where workspace_id = ${workspace}`;
    const other = postgres(inject("stack").dbUrl, { max: 2, onnotice: () => {} });
    onTestFinished(() => other.end());
    const waiting = async () =>
      (await sql`select from pg_catalog.pg_stat_activity where wait_event_type = 'Lock' and query like '%change_rhythm%'`).length;
    let changing: Promise<unknown> = Promise.resolve();
    await sql.begin(async (telling) => {
      await telling`update private.events set told_at = clock_timestamp() where workspace_id = ${workspace}`;
      changing = Promise.all(Array.from({ length: 2 }, () => other`select private.change_rhythm(${id}, 'instant')`));
      await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(0);
    });
    await changing;
    const mails = await sql`select kind, (data ->> 'to')::timestamptz > now() - interval '1 minute' as to_now from private.deliveries
      where workspace_id = ${workspace}`;
    expect([...mails]).toEqual([{ kind: "digest", to_now: true }]);
  });
});

describe("a publication while emails are off", () => {
  test("is not news for digests after they are on again", async ({ world }) => {
    await open(world);
    await world.tx`update public.mail_settings set enabled = false where workspace_id = ${world.acme}`;
    await reader(world, { frequency: "daily", last_digest_at: inDays(-3).toISOString() });
    await publish(world);
    await prepare(world);
    await world.tx`update private.events set happened_at = now() - interval '2 days' where workspace_id = ${world.acme}`;
    await world.tx`update public.mail_settings set enabled = true where workspace_id = ${world.acme}`;
    await prepare(world);
    expect(await deliveries(world)).toEqual([]);
  });
});

describe("publishing without email", () => {
  const save = ({ as }: World, id: string, patch: unknown, person: Person = "editor") =>
    as(person, (me) => me`select * from public.save_post(${id}, ${me.json(patch as never)})`);
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  const due = async ({ tx }: World, id: string) => {
    await tx`set local session_replication_role = replica`;
    await tx`update public.posts set publish_at = now() - interval '1 minute' where id = ${id}`;
    await tx`set local session_replication_role = origin`;
    await tx`select private.publish_due_posts()`;
  };
  const told = async (world: World) => {
    await prepare(world);
    return (await sendEmails(world.tx, [world.acme])).map(({ kind, posts }) => [kind, ...(posts as string[])]);
  };

  testEach([
    [true, 1],
    [false, 0],
    [undefined, 1],
  ])("with notify %j reaches %d, now and in digests", async (world, notify, heard) => {
    await open(world);
    await reader(world);
    await reader(world, { frequency: "daily", last_digest_at: "2026-01-01T00:00:00Z" });
    const { id } = await world.post();
    await save(world, id, { status: "published", notify });
    await world.tx`update private.events set happened_at = '2026-02-02T00:00:00Z' where workspace_id = ${world.acme}`;
    expect((await told(world)).sort()).toEqual(
      heard === 0
        ? []
        : [
            ["digest", id],
            ["post", id],
          ],
    );
    const next = await world.post({ status: "published" });
    expect(await told(world)).toEqual([["post", next.id]]);
  });

  test("is kept by a schedule until it is changed, or the post is a draft again", async ({ world }) => {
    await open(world);
    await reader(world);
    const quiet = await world.post();
    await save(world, quiet.id, { status: "scheduled", publish_at: inAnHour(), notify: false });
    await save(world, quiet.id, { title: "Another", status: "scheduled" });
    const audience = async () =>
      (await world.as("viewer", (me) => me`select public.mail_audience(${world.acme}, '{}', ${quiet.id}) as a`))[0]!.a as object;
    expect(await audience()).toMatchObject({ quiet: true, told: false, now: 1, digests: 0, enabled: true });
    await due(world, quiet.id);
    expect(await told(world)).toEqual([]);

    const loud = await world.post();
    await save(world, loud.id, { status: "scheduled", publish_at: inAnHour(), notify: false });
    await save(world, loud.id, { status: "scheduled", publish_at: inAnHour(), notify: true });
    await due(world, loud.id);
    expect(await told(world)).toEqual([["post", loud.id]]);

    const again = await world.post();
    await save(world, again.id, { status: "scheduled", publish_at: inAnHour(), notify: false });
    await save(world, again.id, { status: "draft" });
    await save(world, again.id, { status: "published" });
    expect(await told(world)).toEqual([["post", again.id]]);
  });

  test("counts recipients by tag; past recipients aren't sent it again", async ({ world }) => {
    await open(world, 7);
    for (const tags of [null, ["fix"], ["docs"]]) await reader(world, { tags });
    for (const frequency of ["daily", "weekly"]) await reader(world, { frequency });
    await reader(world, { status: "pending" });
    const ask = (person: Person, tags: string[], post: string | null = null) =>
      world.as(person, (me) => me`select public.mail_audience(${world.acme}, ${tags}, ${post}) as a`);
    expect((await ask("editor", []))[0]!.a).toEqual({ enabled: true, now: 1, digests: 2, undo_minutes: 7, quiet: false, told: false });
    expect((await ask("editor", ["fix"]))[0]!.a).toMatchObject({ now: 2, digests: 2 });
    const { id } = await publish(world, ["fix"]);
    await timePasses(world, "8 minutes");
    await prepare(world);
    expect((await ask("editor", ["fix"], id))[0]!.a).toMatchObject({ told: true });
    expect((await world.as("rival", (me) => me`select public.mail_audience(${world.globex}, '{}', ${id}) as a`))[0]!.a).toMatchObject({
      told: false,
      quiet: false,
    });
  });
});

describe("email settings", () => {
  const save = ({ as, acme }: World, person: Person | "anon", settings: unknown) =>
    as(person, (me) => me`select * from public.save_mail_settings(${acme}, ${me.json(settings as never)})`);

  test("are saved in part", async ({ world }) => {
    expect((await save(world, "owner", { undo_minutes: 0, sender_name: "  Acme   News " }))[0]).toMatchObject({
      undo_minutes: 0,
      sender_name: "Acme News",
      enabled: true,
    });
    expect((await save(world, "admin", { sender_name: null, reply_to: "hello@acme.example" }))[0]).toMatchObject({
      undo_minutes: 0,
      sender_name: null,
      reply_to: "hello@acme.example",
    });
  });
});
