import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { describe, expect } from "vitest";
import type { ApiKeyScope } from "#contract/api-key-scopes.ts";
import { webhookEvents } from "#contract/webhooks.ts";
import { committedAs, withWorkspace } from "./support/committed.ts";
import { asKey, newKey } from "./support/as-key.ts";
import { connect } from "./support/database.ts";
import { emailsToSend } from "./support/emails.ts";
import { outcome, refused } from "./support/refusal.ts";
import { inDays, type World, words, test, testEach } from "./support/world.ts";

const sql = connect();
const sealed = "x".repeat(40);

interface Chosen {
  events?: readonly string[];
  tags?: string[] | null;
  kind?: string;
  workspace?: string;
}

async function hook({ tx, acme }: World, { events = webhookEvents, tags = null, kind = "webhook", workspace = acme }: Chosen = {}) {
  const [row] = await tx<{ id: string }[]>`insert into private.webhooks (workspace_id, kind, url, sealed, events, tags)
    values (${workspace}, ${kind}, 'https://hooks.example/', ${sealed}, ${[...events]}, ${tags}) returning id`;
  return row!.id;
}
async function open({ tx, acme }: World, minutes = 0): Promise<void> {
  await tx`set local session_replication_role = replica`;
  await tx`update public.workspaces set public_changelog_enabled = true where id = ${acme}`;
  await tx`set local session_replication_role = origin`;
  await tx`update public.mail_settings set undo_minutes = ${minutes} where workspace_id = ${acme}`;
}
const setStatus = (world: World, id: string, status: string) =>
  world.as("owner", (me) => me`update public.posts set status = ${status} where id = ${id}`);
const edit = (world: World, id: string, title: string) =>
  world.as("owner", (me) => me`update public.posts set title = ${title} where id = ${id}`);

const told = async ({ tx, acme }: World, webhook?: string) =>
  (
    await tx<{ kind: string; state: string }[]>`
      select e.kind, d.state from private.webhook_deliveries d join private.webhook_events e on e.id = d.event_id
      where d.workspace_id = ${acme} and (${webhook ?? null}::uuid is null or d.webhook_id = ${webhook ?? null}) order by d.created_at, d.id`
  ).map(({ kind, state }) => (state === "waiting" ? kind : `${kind} ${state}`));
async function work({ tx, acme, globex }: World, results: { id?: unknown; outcome: string; [field: string]: unknown }[] = [], room = 500) {
  for (const { id, ...result } of results)
    await tx`select public.settle_webhook(j.id, j.locked_by, ${tx.json(result as never)}) from private.jobs j where j.id = ${id as string}`;
  const jobs = await tx`select * from public.work_jobs('[]', ${tx.json({ send_webhook: room })})`;
  const sending = [];
  for (const { id, lease, attempt, workspace_id } of jobs) {
    if (![acme, globex].includes(workspace_id as string)) continue;
    const [one] = await tx`select * from public.webhook_to_send(${id as string})`;
    if (one === undefined) await tx`select public.work_jobs(${tx.json([{ id, lease }])})`;
    else sending.push({ id, attempt, ...one } as Record<string, unknown>);
  }
  return sending;
}
const done = (rows: { id?: unknown }[]) => rows.map(({ id }) => ({ id, outcome: "done", status: 200, ms: 3 }));
const failed = (rows: { id?: unknown }[], more: object = {}): { id?: unknown; outcome: string }[] =>
  rows.map(({ id }) => ({ id, outcome: "again", status: 500, ms: 3, error: "It answered 500", ...more }));
const timePasses = async ({ tx }: World, interval: string) => {
  await tx`update private.jobs set run_at = run_at - ${interval}::text::interval where task = 'send_webhook' and run_at < 'infinity'`;
  await tx`update private.webhooks set wait_until = wait_until - ${interval}::text::interval, failing_since = failing_since - ${interval}::text::interval,
    rotated_at = rotated_at - ${interval}::text::interval`;
};
const rowOf = async ({ tx }: World, webhook: string) => (await tx`select * from private.webhooks where id = ${webhook}`)[0]!;
const ping = ({ acme, as }: World, webhook: string) => as("owner", (me) => me`select public.ping_webhook(${acme}, ${webhook})`);

describe("webhooks receive", () => {
  test("a publication once, every edit that readers see, its end and its return, and nothing of drafts", async ({ world }) => {
    await open(world);
    const all = await hook(world);
    const post = await world.post();
    await edit(world, post.id, "Another draft");
    await world.as("owner", (me) => me`select public.save_post(${post.id}, '{"title": "Typed"}', autosaved => true)`);
    expect(await told(world)).toEqual([]);
    await setStatus(world, post.id, "published");
    expect(await told(world)).toEqual(["post.published"]);
    await work(world, done(await work(world)));
    await edit(world, post.id, "Better");
    await edit(world, post.id, "Better");
    expect(await told(world, all)).toEqual(["post.published done", "post.updated"]);
    await edit(world, post.id, "Best");
    expect(await told(world)).toEqual(["post.published done", "post.updated"]);
    const [update] = await work(world);
    expect(update).toMatchObject({ type: "post.updated", post: { id: post.id }, facts: { title: "Typed" } });
    await edit(world, post.id, "The best");
    await work(world, done([update!, ...(await work(world))]));
    await setStatus(world, post.id, "archived");
    const [end] = await work(world);
    expect(end).toMatchObject({
      type: "post.unpublished",
      facts: { id: post.id, title: "The best", slug: expect.any(String), tags: [] },
    });
    await work(world, done([end!]));
    await setStatus(world, post.id, "draft");
    await setStatus(world, post.id, "published");
    expect((await told(world)).slice(-2)).toEqual(["post.unpublished done", "post.updated"]);
    await work(world, done(await work(world)));
    await world.as("owner", (me) => me`select public.purge_post(${post.id})`);
    expect((await told(world)).at(-1)).toBe("post.unpublished");
  });

  test("a publication only after its undo window, and nothing if it was undone", async ({ world }) => {
    await open(world, 5);
    await hook(world);
    const post = await world.post({ status: "published" });
    await edit(world, post.id, "Corrected at once");
    expect(await told(world)).toEqual(["post.published"]);
    expect(await work(world)).toEqual([]);
    await setStatus(world, post.id, "archived");
    expect(await told(world)).toEqual(["post.published dropped"]);
    await setStatus(world, post.id, "draft");
    await setStatus(world, post.id, "published");
    expect(await told(world)).toEqual(["post.published dropped", "post.published"]);
    await timePasses(world, "6 minutes");
    const [taken] = await work(world);
    expect(taken).toMatchObject({ type: "post.published", post: { id: post.id } });
    await work(world, done([taken!]));
    await edit(world, post.id, "Later");
    expect((await told(world)).at(-1)).toBe("post.updated");
  });

  test("nothing for imports, rollbacks, renamed tags and closed changelogs", async ({ world }) => {
    await open(world);
    await hook(world);
    await world.tx`set local tidings.quiet = 'on'`;
    const [first] = [await world.post({ status: "published", tags: ["beta"] }), await world.post({ status: "published" })];
    await world.tx`set local tidings.quiet = ''`;
    await world.tx
      .savepoint(async (inner) => {
        const [post] = await inner`insert into public.posts (workspace_id, title, content_raw, status)
            values (${world.acme}, 'x', ${words("x") as never}, 'published') returning id`;
        expect(post).toBeDefined();
        throw new Error("rolled back");
      })
      .catch(() => {});
    await world.as("owner", (me) => me`select public.create_tag(${world.acme}, 'Beta')`);
    await world.as("owner", (me) => me`select public.change_tag(${world.acme}, 'beta', 'Gamma')`);
    expect(await told(world)).toEqual([]);
    const loud = await world.post({ status: "published" });
    await world.tx`set local session_replication_role = replica`;
    await world.tx`update public.workspaces set public_changelog_enabled = false where id = ${world.acme}`;
    await world.tx`set local session_replication_role = origin`;
    expect(await work(world)).toEqual([]);
    expect(await told(world)).toEqual(["post.published dropped"]);
    await setStatus(world, first.id, "archived");
    expect(await told(world)).toEqual(["post.published dropped"]);
    expect(loud.id).toBeDefined();
  });

  test("a schedule and its change by title, while it is scheduled, and its publication by the clock", async ({ world }) => {
    await open(world);
    await hook(world);
    const post = await world.post({ status: "scheduled", publish_at: inDays(3) });
    await work(world, done(await work(world)));
    await world.as("owner", (me) => me`update public.posts set publish_at = ${inDays(4)} where id = ${post.id}`);
    await edit(world, post.id, "Soon");
    expect(await told(world)).toEqual(["post.scheduled done", "post.scheduled"]);
    const [taken] = await work(world);
    expect(Object.keys(taken!.facts as object).sort()).toEqual(["id", "scheduled_for", "tags", "title"]);
    await work(world, failed([taken!]));
    await setStatus(world, post.id, "draft");
    await timePasses(world, "1 minute");
    expect(await work(world)).toEqual([]);
    expect(await told(world)).toEqual(["post.scheduled done", "post.scheduled dropped"]);
    await world.as("owner", (me) => me`update public.posts set publish_at = ${inDays(1)} where id = ${post.id}`);
    await work(world, done(await work(world)));
    await world.tx`set local session_replication_role = replica`;
    await world.tx`update public.posts set publish_at = now() - interval '1 minute' where id = ${post.id}`;
    await world.tx`set local session_replication_role = origin`;
    await world.tx`select private.publish_due_posts()`;
    expect((await told(world)).at(-1)).toBe("post.published");
  });

  test("confirmed and unsubscribed readers, not imported lists, nor readers erased meanwhile", async ({ world }) => {
    await hook(world);
    const reader = async (status: string) =>
      (
        await world.tx`insert into public.subscribers (workspace_id, email, status, confirmed_at)
            values (${world.acme}, ${`${randomUUID()}@reader.example`}, ${status}, now()) returning id, email`
      )[0]!;
    const [ana] = [await reader("pending"), await reader("active")];
    const set = (status: string) => world.tx`update public.subscribers set status = ${status} where id = ${ana.id as string}`;
    await set("active");
    await set("paused");
    await set("active");
    await set("left");
    expect(await told(world)).toEqual(["subscriber.confirmed", "subscriber.left"]);
    const taken = await work(world);
    expect(taken.map(({ type, facts }) => [type, (facts as { email: string }).email])).toEqual([
      ["subscriber.confirmed", ana.email],
      ["subscriber.left", ana.email],
    ]);
    await work(world, failed(taken));
    await world.tx`delete from public.subscribers where id = ${ana.id as string}`;
    await timePasses(world, "1 minute");
    expect(await work(world)).toEqual([]);
    expect(JSON.stringify(await world.tx`select * from private.webhook_events`)).not.toContain(ana.email);
  });

  test("only their events, tags (also by a tag's current key), and workspace", async ({ world }) => {
    await open(world);
    const [edits, fixes, off, others] = [
      await hook(world, { events: ["post.updated"] }),
      await hook(world, { tags: ["fix", "beta"] }),
      await hook(world),
      await hook(world, { workspace: world.globex }),
    ];
    await world.as("owner", (me) => me`select public.change_webhook(${world.acme}, ${off}, '{"enabled": false}')`);
    const [plain, fix] = [await world.post({ status: "published" }), await world.post({ status: "published", tags: ["fix"] })];
    await world.as("owner", (me) => me`select public.create_tag(${world.acme}, 'Beta')`);
    await world.as("owner", (me) => me`select public.change_tag(${world.acme}, 'beta', 'Gamma')`);
    await world.post({ status: "published", tags: ["gamma"] });
    await edit(world, plain.id, "Edited");
    await world.as("owner", (me) => me`update public.posts set tags = '{docs}' where id = ${fix.id}`);
    expect(await told(world, edits)).toEqual(["post.updated", "post.updated"]);
    expect(await told(world, fixes)).toEqual(["post.published", "post.published"]);
    for (const none of [off, others]) expect(await told(world, none)).toEqual([]);
    const [list] = await world.as("admin", (me) => me`select public.list_webhooks(${world.acme}) as list`);
    expect((list!.list as { id: string; tags: string[] }[]).find(({ id }) => id === fixes)!.tags).toEqual(["fix", "gamma"]);
  });
});

describe("a webhook worker", () => {
  test("leases due deliveries for 45 seconds under stable ids; other workers don't get them", async ({ world }) => {
    const webhook = await hook(world);
    await ping(world, webhook);
    const [taken] = await work(world);
    expect(taken).toMatchObject({
      type: "webhook.ping",
      attempt: 1,
      kind: "webhook",
      sealed,
      sealed_before: null,
      workspace_name: "Acme",
    });
    await timePasses(world, "30 seconds");
    expect(await work(world)).toHaveLength(0);
    await timePasses(world, "20 seconds");
    expect(await work(world)).toMatchObject([{ id: taken!.id, event_id: taken!.event_id, attempt: 2 }]);
    await work(world, done([taken!]));
    await work(world, failed([taken!]));
    expect(await told(world)).toEqual(["webhook.ping done"]);
  });

  test("gets the retry delays 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h with jitter; then the delivery has failed", async ({
    world,
  }) => {
    const webhook = await hook(world);
    await ping(world, webhook);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const taken = await work(world);
      expect(taken).toMatchObject([{ attempt }]);
      await work(world, failed(taken, { answer: `no ${attempt}`, error: "x".repeat(2_000) }));
      const [row] = await world.tx`select d.state, extract(epoch from j.run_at - w.last_try_at) as wait from private.webhook_deliveries d
          join private.webhooks w on w.id = d.webhook_id left join private.jobs j on j.id = d.id where d.id = ${taken[0]!.id as string}`;
      if (row!.state === "waiting") waits.push(Number(row!.wait));
      await world.tx`update private.webhooks set failing_since = now() where id = ${webhook}`;
      await timePasses(world, "30 hours");
      await world.tx`update private.webhooks set failing_since = now() where id = ${webhook}`;
    }
    const planned = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(waits).toHaveLength(9);
    for (const [at, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(planned[at]!);
      expect(wait).toBeLessThan(planned[at]! * 1.1 + 1);
    }
    expect(await told(world)).toEqual(["webhook.ping failed"]);
    const tries =
      await world.tx`select attempt, status, answer, char_length(error) as error from private.delivery_attempts order by attempt`;
    expect(tries.filter(({ answer }) => String(answer).startsWith("no "))).toMatchObject(
      Array.from({ length: 10 }, (_, at) => ({ attempt: at + 1, status: 500, answer: `no ${at + 1}`, error: 500 })),
    );
  });

  test("pauses the whole webhook when its server asks for it or is overloaded", async ({ world }) => {
    const webhook = await hook(world);
    await ping(world, webhook);
    await ping(world, webhook);
    const taken = await work(world);
    await work(world, [...failed(taken.slice(0, 1), { after: 600 }), ...done(taken.slice(1))]);
    const wait = async () => {
      const [row] =
        await world.tx`select extract(epoch from wait_until - clock_timestamp()) as s from private.webhooks where id = ${webhook}`;
      return Math.round(Number(row!.s));
    };
    expect(await wait()).toBeGreaterThan(590);
    await open(world);
    await world.post({ status: "published" });
    expect(await work(world)).toHaveLength(0);
    await timePasses(world, "11 minutes");
    const again = await work(world);
    expect(again.map(({ type }) => type).toSorted()).toEqual(["post.published", "webhook.ping"]);
    await work(world, failed(again, { slower: true }));
    expect(await wait()).toBeGreaterThan(25);
  });

  test("gets a share per webhook, one delivery of failing ones, and others first", async ({ world }) => {
    const [busy, second, other] = [await hook(world), await hook(world), await hook(world, { workspace: world.globex })];
    const queue = (webhook: string, workspace: string, count: number) => world.tx`
      with events as (
        insert into private.webhook_events (workspace_id, kind) select ${workspace}, 'webhook.ping' from generate_series(1, ${count}::int) returning id
      )
      select private.queue_delivery(e.id, w, false) from events e, private.webhooks w where w.id = ${webhook}`;
    await queue(busy, world.acme, 60);
    await queue(second, world.acme, 60);
    await queue(other, world.globex, 1);
    const first = await work(world, [], 4);
    expect(first.filter(({ webhook_id }) => webhook_id === other)).toHaveLength(1);
    const rest = await work(world);
    const count = (rows: { webhook_id?: unknown }[], id: string) => rows.filter(({ webhook_id }) => webhook_id === id).length;
    const all = [...first, ...rest];
    expect([count(all, busy), count(all, second), count(all, other)]).toEqual([16, 16, 1]);
    expect(await work(world)).toHaveLength(0);
    const mine = all.filter(({ webhook_id }) => webhook_id === busy);
    expect(count(await work(world, failed(mine.slice(0, 4))), busy)).toBe(0);
    expect(count(await work(world, failed(mine.slice(4))), busy)).toBe(1);
    expect(count(await work(world), busy)).toBe(0);
  });

  test("disables webhooks after 410, or after three days and twenty failures; owners are notified, and deliveries can be resent", async ({
    world,
  }) => {
    const [gone, failing] = [await hook(world), await hook(world)];
    for (const webhook of [gone, failing]) for (let n = 0; n < 3; n += 1) await ping(world, webhook);
    await world.tx`update private.job_tasks set per_key = 1 where task = 'send_webhook'`;
    const taken = await work(world);
    await world.tx`update private.job_tasks set per_key = 16 where task = 'send_webhook'`;
    await work(world, [
      { id: taken.find(({ webhook_id }) => webhook_id === gone)!.id, outcome: "gone", status: 410, ms: 1 },
      ...failed(taken.filter(({ webhook_id }) => webhook_id === failing)),
    ]);
    expect(await rowOf(world, gone)).toMatchObject({ off_reason: "gone" });
    expect(await told(world, gone)).toEqual(Array.from({ length: 3 }, () => "webhook.ping failed"));
    await timePasses(world, "73 hours");
    await work(world, failed(await work(world)));
    expect(await rowOf(world, failing)).toMatchObject({ off_reason: null, failed_tries: 2 }); // long enough, but too few failures
    await world.tx`update private.webhooks set failed_tries = 19 where id = ${failing}`;
    await timePasses(world, "1 hour");
    await work(world, failed(await work(world)));
    expect(await rowOf(world, failing)).toMatchObject({ off_reason: "failing" });
    const mails = await world.tx`select kind, target_id from private.deliveries where workspace_id = ${world.acme} order by kind`;
    expect(mails.map(({ kind, target_id }) => [kind, target_id])).toEqual([
      ["webhook_failing", world.people.owner],
      ["webhook_gone", world.people.owner],
    ]);
    const claimed = await emailsToSend(world.tx, [world.acme]);
    expect(claimed.map(({ kind }) => kind as string).sort()).toEqual(["webhook_failing", "webhook_gone"]);
    expect(claimed[0]!.email).toContain(world.people.owner);
    expect((await refused(ping(world, gone))).code).toBe("webhook_off");
    await world.as("admin", (me) => me`select public.change_webhook(${world.acme}, ${gone}, '{"enabled": true}')`);
    expect(await work(world)).toHaveLength(0);
    const [again] = await world.as(
      "owner",
      (me) => me`select public.resend_failed(${world.acme}, ${gone}, now() - interval '1 hour') as count`,
    );
    expect(again!.count).toBe(3);
    expect(await work(world)).toHaveLength(3);
  });

  test("that died leaves deliveries that aren't sent when their webhook is enabled again", async ({ world }) => {
    await open(world);
    const id = await hook(world);
    const post = await world.post();
    await setStatus(world, post.id, "published");
    await work(world);
    await world.as("owner", (me) => me`select public.change_webhook(${world.acme}, ${id}, '{"enabled": false}')`);
    expect(await told(world, id)).toEqual(["post.published sending"]);
    await timePasses(world, "1 minute");
    expect(await work(world)).toEqual([]);
    expect(await told(world, id)).toEqual(["post.published failed"]);
    await world.as("owner", (me) => me`select public.change_webhook(${world.acme}, ${id}, '{"enabled": true}')`);
    expect(await work(world)).toEqual([]);
  });
});

describe("resending", () => {
  test("creates another delivery of the same event, but none of a pending or meanwhile delivered one", async ({ world }) => {
    const webhook = await hook(world);
    await ping(world, webhook);
    const [first] = await work(world);
    const again = async () =>
      (await world.as("admin", (me) => me`select public.resend_delivery(${world.acme}, ${first!.id as string}) as d`))[0]!.d as {
        id: string;
        again: boolean;
        next_try_at: string;
      };
    await work(world, failed([first!]));
    expect(await again()).toMatchObject({ id: first!.id, again: false }); // it is only made due
    const second = await work(world);
    expect(second).toMatchObject([{ id: first!.id, attempt: 2 }]);
    await work(world, [{ id: first!.id, outcome: "failed", status: 400, ms: 1 }]);
    const made = await again();
    expect(made).toMatchObject({ again: true });
    expect((await again()).id).toBe(made.id);
    const third = await work(world);
    expect(third).toMatchObject([{ id: made.id, event_id: first!.event_id, attempt: 1 }]);
    await work(world, done(third));
    const [none] = await world.as("owner", (me) => me`select public.resend_failed(${world.acme}, ${webhook}, '-infinity') as count`);
    expect(none!.count).toBe(0);
  });
});

describe("managing webhooks", () => {
  test("rejects malformed kinds, URLs and events past the API", async ({ world }) => {
    const create = (row: object) => {
      const whole = { kind: "webhook", url: "https://hooks.example/", sealed, events: ["post.published"], ...row };
      return outcome(
        world.tx.savepoint(() => world.as("owner", (me) => me`select public.create_webhook(${world.acme}, ${me.json(whole as never)})`)),
      );
    };
    for (const row of [
      { kind: "pager" },
      { url: "javascript:alert(1)" },
      { events: [] },
      { events: ["post.deleted"] },
      { tags: [] },
      { sealed: "short" },
      { name: "x".repeat(81) },
    ])
      expect([row, await create(row)]).toEqual([row, "23514"]);
    const slack = await hook(world, { kind: "slack", events: ["post.published"] });
    const change = (changes: object) =>
      refused(
        world.tx.savepoint(() =>
          world.as("owner", (me) => me`select public.change_webhook(${world.acme}, ${slack}, ${me.json(changes as never)})`),
        ),
      );
    expect((await change({ events: ["subscriber.left"] })).code).toBe("validation_failed");
    expect((await change({ url: "https://hooks.slack.com/other" })).code).toBe("validation_failed");
  });
});

test("a workspace has a hundred webhooks at most, also when created concurrently", () =>
  withWorkspace(sql, 0, async ({ owner, workspace }) => {
    const row = { kind: "webhook", url: "https://hooks.example/", sealed, events: ["post.published"] };
    const outcomes = await Promise.all(
      Array.from({ length: 120 }, () =>
        outcome(committedAs(sql, owner, (tx) => tx`select public.create_webhook(${workspace}, ${tx.json(row)})`)),
      ),
    );
    expect(Object.groupBy(outcomes, (one) => one)["allowed"]).toHaveLength(100);
    expect(outcomes.filter((one) => one !== "allowed")).toEqual(Array.from({ length: 20 }, () => "too_many_webhooks"));
  }));

test("housekeeping deletes deliveries after thirty days, and all with the workspace", async ({ world }) => {
  const webhook = await hook(world);
  await ping(world, webhook);
  await work(world, done(await work(world)));
  await ping(world, webhook);
  const count = async () =>
    (
      await world.tx`select (select count(*) from private.webhook_deliveries where workspace_id = ${world.acme})::int as deliveries,
          (select count(*) from private.webhook_events where workspace_id = ${world.acme})::int as events`
    )[0];
  await world.tx`update private.webhook_deliveries set ended_at = ended_at - interval '31 days', created_at = created_at - interval '31 days'`;
  await world.tx`update private.webhook_events set happened_at = happened_at - interval '31 days'`;
  await world.tx`select private.tidy_up()`;
  expect(await count()).toEqual({ deliveries: 1, events: 1 });
  await open(world);
  await world.post({ status: "published" });
  await world.as("owner", (me) => me`select public.delete_workspace(${world.acme}, 'Acme')`);
  expect(await count()).toEqual({ deliveries: 0, events: 0 });
});

describe("a key with webhooks:write", () => {
  const make = (me: TransactionSql, workspace: string, events: string[]) =>
    me`select public.create_webhook(${workspace}, ${me.json({ kind: "webhook", url: "https://hooks.example/", sealed, events })})`;
  const events = ["post.published", "post.updated", "post.unpublished"];

  testEach([
    [events, [], "allowed"],
    [["post.scheduled"], [], "posts:read"],
    [["post.scheduled"], ["posts:read"] as const, "allowed"],
    [["post.updated", "subscriber.left"], ["posts:read"] as const, "subscribers:read"],
    [["subscriber.confirmed"], ["subscribers:read"] as const, "allowed"],
  ])("chooses the events %j with the scopes %j besides: %s", async ({ tx, acme, people }, chosen, scopes, expected) => {
    const key = await newKey(tx, people.admin, acme, ["webhooks:write", ...scopes]);
    const lacks = { code: "scope_missing", detail: { scope: expected } };
    const made = asKey(tx, key, "create_webhook", (me) => make(me, acme, [...chosen]));
    if (expected === "allowed") expect(await outcome(made)).toBe("allowed");
    else expect(await refused(made)).toMatchObject(lacks);
  });

  const setUp = async (world: World, scopes: readonly ApiKeyScope[], events: readonly string[]) => {
    const id = await hook(world, { events });
    const key = await newKey(world.tx, world.people.admin, world.acme, ["webhooks:write", ...scopes]);
    const call = (name: string, ask: (me: TransactionSql) => Promise<unknown>) => outcome(asKey(world.tx, key, name, ask));
    return {
      id,
      change: (changes: object) =>
        call("change_webhook", (me) => me`select public.change_webhook(${world.acme}, ${id}, ${me.json(changes as never)})`),
      resend: (delivery: string) => call("resend_delivery", (me) => me`select public.resend_delivery(${world.acme}, ${delivery})`),
      resendFailed: () => call("resend_failed", (me) => me`select public.resend_failed(${world.acme}, ${id}, '-infinity')`),
      log: async () => {
        const [row] = await asKey(
          world.tx,
          key,
          "webhook_deliveries",
          (me) => me`select public.webhook_deliveries(${world.acme}, ${id}) as log`,
        );
        return row!.log as { event: { type: string; about: string | null }; tries: { answer: string | null }[] }[];
      },
    };
  };
  const confirmReader = async ({ tx, acme }: World) => {
    const [reader] = await tx`insert into public.subscribers (workspace_id, email, status, confirmed_at)
      values (${acme}, ${`${randomUUID()}@reader.example`}, 'pending', now()) returning id`;
    await tx`update public.subscribers set status = 'active' where id = ${reader!.id as string}`;
  };

  testEach([
    ["subscriber.confirmed", "subscribers:read"],
    ["post.scheduled", "posts:read"],
  ] as const)("needs the scope for %s before a change as after it", async (world, event, scope) => {
    const { id, change } = await setUp(world, [], [event]);
    expect(await change({ url: "https://mine.example/" })).toBe("scope_missing");
    expect(await change({ url: "https://mine.example/", events })).toBe("scope_missing");
    expect(await change({ events })).toBe("scope_missing");
    expect(await rowOf(world, id)).toMatchObject({ url: "https://hooks.example/", events: [event] });
    await world.tx`update private.webhooks set events = ${events} where id = ${id}`;
    expect(await change({ url: "https://mine.example/" })).toBe("allowed");
    expect(await change({ events: [event] })).toBe("scope_missing");
    const reader = await setUp(world, [scope], [event]);
    expect(await reader.change({ url: "https://mine.example/", events })).toBe("allowed");
  });

  test("resends only events that the key can read", async ({ world }) => {
    const { id, resend, resendFailed } = await setUp(world, [], ["subscriber.confirmed"]);
    await confirmReader(world);
    const [taken] = await work(world);
    await work(world, [{ id: taken!.id, outcome: "failed", status: 400, ms: 1 }]);
    expect(await resend(taken!.id as string)).toBe("scope_missing");
    expect(await resendFailed()).toBe("scope_missing");
    await world.tx`update private.webhooks set events = ${events} where id = ${id}`;
    expect(await resend(taken!.id as string)).toBe("scope_missing");
    expect(await resendFailed()).toBe("allowed");
    expect(await told(world, id)).toEqual(["subscriber.confirmed failed"]);
  });

  test("gets no unpublished title and no response in the log without the scopes for them", async ({ world }) => {
    await open(world);
    const [blind, reader] = [await setUp(world, [], webhookEvents), await setUp(world, ["posts:read", "subscribers:read"], webhookEvents)];
    const post = await world.post({ status: "published", title: "Public" });
    const answer = (rows: { id?: unknown }[]) => done(rows).map((row) => ({ ...row, answer: "the payload, echoed" }));
    await work(world, answer(await work(world)));
    await world.post({ status: "scheduled", publish_at: inDays(3), title: "Scheduled" });
    await work(world, answer(await work(world)));
    const titles = async ({ log }: typeof blind) => (await log()).map(({ event }) => [event.type, event.about]);
    expect(await titles(blind)).toEqual([
      ["post.scheduled", null],
      ["post.published", "Public"],
    ]);
    expect(await titles(reader)).toEqual([
      ["post.scheduled", "Scheduled"],
      ["post.published", "Public"],
    ]);
    await setStatus(world, post.id, "archived");
    expect((await titles(blind)).map(([, title]) => title)).toEqual([null, null, null]);
    const answers = async ({ log }: typeof blind) => (await log()).flatMap(({ tries }) => tries.map((one) => one.answer));
    expect(await answers(blind)).toEqual([null, null]);
    expect(await answers(reader)).toEqual(["the payload, echoed", "the payload, echoed"]);
  });
});

describe("a changed webhook", () => {
  test("drops queued events that it no longer wants", async ({ world }) => {
    await open(world);
    const id = await hook(world);
    await world.post({ status: "scheduled", publish_at: inDays(3) });
    await ping(world, id);
    await world.as("owner", (me) => me`select public.change_webhook(${world.acme}, ${id}, '{"events": ["post.published"]}')`);
    expect((await work(world)).map(({ type }) => type as string)).toEqual(["webhook.ping"]);
    expect(await told(world, id)).toEqual(["post.scheduled dropped", "webhook.ping sending"]);
  });

  testEach([
    ["webhook", { url: "https://new.example/" }],
    ["slack", { url: "https://hooks.example/", sealed: "y".repeat(40) }],
  ])("of kind %s ends pending and running deliveries when its URL changes", async (world, kind, changes) => {
    const id = await hook(world, { kind });
    await ping(world, id);
    const running = await work(world);
    await ping(world, id);
    await world.as(
      "owner",
      (me) =>
        me`select public.change_webhook(${world.acme}, ${id}, ${me.json({ ...changes, url: "https://hooks.example/", name: "New name", ...(kind === "slack" && { sealed }) })})`,
    );
    expect(await told(world, id)).toEqual(["webhook.ping sending", "webhook.ping"]);
    await world.as("owner", (me) => me`select public.change_webhook(${world.acme}, ${id}, ${me.json(changes)})`);
    await work(world, failed(running));
    await timePasses(world, "1 minute");
    expect(await work(world)).toEqual([]);
    expect(await told(world, id)).toEqual(["webhook.ping dropped", "webhook.ping dropped"]);
    await ping(world, id);
    expect(await work(world)).toMatchObject([{ url: changes.url }]);
  });
});
