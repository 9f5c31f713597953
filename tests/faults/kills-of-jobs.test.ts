import fs from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type DnsServer, startDns } from "../support/dns-server.ts";
import { type S3Server, startS3Server } from "../support/s3-server.ts";
import { type RunningStack, startStack, type StackFile, toPrivate } from "../support/stack.ts";
import { type Receiver, startReceiver } from "../support/webhook-receiver.ts";
import { type MailSink, startMailSink } from "./support/mail-sink.ts";
import { kill9 } from "./support/processes.ts";
import { makePlace, type Place } from "./support/writers.ts";

/** Readers' emails and webhooks: mails.test.ts, webhooks.test.ts. */
interface Kind {
  task?: string;
  count: number;
  begin(place: Place): Promise<unknown>;
  /** An id for each time that one of the jobs had its effect. */
  effects(place: Place): Promise<string[]> | string[];
}

const patience = { timeout: 60_000, interval: 5 };
let stack: RunningStack;
let sql: postgres.Sql;
let mail: MailSink;
let chat: Receiver;
let dns: DnsServer;
let s3: S3Server;
beforeAll(async () => {
  [mail, chat, dns, s3] = await Promise.all([startMailSink(4), startReceiver(), startDns(), startS3Server(["copies"])]);
  const mails = { TIDINGS_MAIL_API_URL: mail.url, TIDINGS_MAIL_API_KEY: "mail-key", TIDINGS_MAIL_FROM: "hello@tidings.example" };
  const limits = { TIDINGS_MAIL_RATE: "400", TIDINGS_RATE_LIMIT_SCALE: "1000" };
  const env = { TIDINGS_PUBLIC_URL: "https://tidings.example", TIDINGS_DNS_SERVER: dns.address, ...toPrivate, ...mails, ...limits };
  stack = await startStack({ args: ["serve"], env });
  sql = postgres(stack.dbUrl, { max: 2, onnotice: () => {} });
});
afterAll(async () => {
  await sql?.end({ timeout: 5 });
  await stack?.stop();
  for (const server of [mail, chat, dns, s3]) void server?.stop();
});

const pidsNow = () => (JSON.parse(fs.readFileSync(path.join(stack.dataDir, "stack.json"), "utf8")) as StackFile).pids;
const kill = { worker: () => kill9(() => pidsNow().functions.api), Postgres: () => kill9(() => pidsNow().postgres) };

async function call(place: Place, method: string, at: string, body: object = {}): Promise<unknown> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${place.token}` };
  const answer = await fetch(`${stack.url}/api/workspaces/${place.workspaceId}/${at}`, { method, headers, body: JSON.stringify(body) });
  expect([at, answer.status < 300 ? "" : await answer.text()]).toEqual([at, ""]);
  return await answer.json();
}

const ids = async (rows: Promise<readonly postgres.Row[]>) => (await rows).map(({ id }) => String(id));
const mailKeys = () => mail.mails.map(({ key }) => key);
const addOn = ({ workspaceId: id }: Place, name: string) =>
  sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${id}, ${name})`;
const text = { blocks: [{ type: "paragraph", data: { text: "While something was killed." } }] };
const addPosts = ({ workspaceId: id }: Place, count: number, status: string) => sql`
  insert into public.posts (workspace_id, title, content_raw, status, publish_at)
  select ${id}, 'News ' || n, ${text as never}, ${status}::public.post_status, case when ${status} = 'scheduled' then now() end
  from generate_series(1, ${count}::int) as n`;
async function backedUpPlace(): Promise<Place> {
  const place = await makePlace(stack);
  await addOn(place, "backup");
  await call(place, "PUT", "backup", { endpoint: s3.endpoint, bucket: "copies", key_id: s3.keyId, secret: s3.secret, keep_days: 30 });
  return place;
}
const open = ({ workspaceId: id }: Place) => sql`update public.workspaces set public_changelog_enabled = true where id = ${id}`;

const kinds: Record<string, Kind> = {
  "emails to members": {
    task: "send_emails",
    count: 200,
    begin: ({ workspaceId: id }) => sql`
      insert into private.deliveries (workspace_id, kind, target_id, data)
      select ${id}, 'mentioned', m.user_id, jsonb_build_object('subject', gen_random_uuid(), 'title', 'News', 'by', 'Ann', 'text', 'Look')
      from public.members m, generate_series(1, 200) where m.workspace_id = ${id}`,
    effects: mailKeys,
  },
  "emails about accounts": {
    task: "send_account_email",
    count: 100,
    begin: () =>
      sql`select private.enqueue_account_email('password_changed', email => n || '@account.example') from generate_series(1, 100) as n`,
    effects: mailKeys,
  },
  digests: {
    task: "send_emails",
    count: 200,
    async begin(place) {
      const { workspaceId: id } = place;
      await open(place);
      await addPosts(place, 1, "published");
      await sql`update private.events set happened_at = now() - interval '2 days', told_at = now() where workspace_id = ${id}`;
      await sql`insert into public.subscribers (workspace_id, email, status, frequency, confirmed_at, last_digest_at)
        select ${id}, n || '@reader.example', 'active', 'daily', now(), now() - interval '4 days' from generate_series(1, 200) as n`;
      await sql`select public.enqueue_digests()`;
    },
    effects: mailKeys,
  },
  reports: {
    task: "send_emails",
    count: 200,
    async begin(place) {
      const { workspaceId: id } = place;
      await addOn(place, "reports");
      await sql`with recipients as (
          insert into private.report_recipients (workspace_id, email, state)
          select ${id}, n || '@report.example', 'active' from generate_series(1, 200) as n returning id
        )
        insert into private.deliveries (job_id, workspace_id, kind, target_id, data)
        select ${crypto.randomUUID()}, ${id}, 'report', id, '{"month": "2026-10-01"}' from recipients`;
    },
    effects: mailKeys,
  },
  "messages to chats": {
    task: "send_webhook",
    count: 60,
    async begin(place) {
      const hook = (at: number) => ({ kind: "slack", url: `${chat.url}/${at}`, events: ["post.published"] });
      for (let at = 0; at < 60; at += 1) await call(place, "POST", "webhooks", hook(at));
      await sql`with event as (insert into private.webhook_events (workspace_id, kind) values (${place.workspaceId}, 'webhook.ping') returning id)
        select private.queue_delivery(e.id, w, false) from event e, private.webhooks w where w.workspace_id = ${place.workspaceId}`;
    },
    effects: () => chat.received.map(({ path: to }) => to),
  },
  "domain checks": {
    task: "check_domain",
    count: 300,
    async begin(place) {
      await addOn(place, "custom-domain");
      await sql`with domains as (
          insert into public.domains (workspace_id, host, shown)
          select ${place.workspaceId}, 'n' || n || '.example.com', 'n' from generate_series(1, 300) as n returning *
        ) select private.schedule_domain_check(d::public.domains, clock_timestamp()) from domains d`;
    },
    effects: ({ workspaceId: id }) => ids(sql`select id from public.domains where workspace_id = ${id} and checked_at is not null`),
  },
  "link images": {
    task: "draw_og_image",
    count: 40,
    begin: async (place) => (await open(place), await addPosts(place, 40, "published")),
    effects: ({ workspaceId: id }) =>
      ids(sql`select id from private.link_pictures where workspace_id = ${id} and post_id is not null and path is not null`),
  },
  backups: {
    task: "backup",
    count: 16,
    async begin() {
      for (let at = 0; at < 16; at += 1) await backedUpPlace();
      await sql`update private.backups set next_at = clock_timestamp()`;
      await sql`select private.start_due_backups()`;
    },
    effects: () => ids(sql`select id from private.backup_runs where state = 'done'`),
  },
  "scheduled publications": {
    count: 1_000,
    begin: (place) => addPosts(place, 1_000, "scheduled"),
    effects: ({ workspaceId: id }) =>
      ids(sql`select post_id as id from public.activities where workspace_id = ${id} and kind = 'post_published'`),
  },
  "removals of files": {
    count: 2_000,
    begin: ({ workspaceId: id }) =>
      sql`insert into private.discarded_files (bucket, path) select 'logos', ${id} || '/' || n from generate_series(1, 2000) as n`,
    effects: ({ workspaceId: id }) =>
      ids(
        sql`select n as id from generate_series(1, 2000) as n where not exists (select from private.discarded_files where path = ${id} || '/' || n)`,
      ),
  },
};

test.each(Object.entries(kinds))(
  "kill -9 of worker and Postgres amid %s loses none and repeats each at most once per kill",
  async (name, kind) => {
    mail.mails.length = 0;
    const place = await makePlace(stack);
    await kind.begin(place);
    const done = async (least: number) => {
      const effects = await kind.effects(place);
      expect(new Set(effects).size).toBeGreaterThanOrEqual(least);
      return effects;
    };
    const atFirst = await vi.waitFor(() => done(kind.count / 8), patience);
    await kill.worker();
    const killed = new Date();
    /** Ends leases of the killed worker, and those whose answer Postgres couldn't give; makes retries due. */
    const hurry = async () => {
      await sql`update private.deliveries set due_at = clock_timestamp() where state = 'waiting' and due_at > clock_timestamp()`;
      await sql`update private.jobs set run_at = clock_timestamp() where run_at > clock_timestamp() and run_at < 'infinity'
      and (locked_by is not null and locked_at < greatest(${killed}, clock_timestamp() - interval '15 seconds') or last_error is not null)`;
    };
    await vi.waitFor(async () => (await hurry(), await done(kind.count / 2)), patience);
    await kill.Postgres();
    const effects = await vi.waitFor(
      async () => {
        await hurry();
        expect(
          await sql`select id from private.jobs where task = ${kind.task ?? ""}
            and (locked_by is not null or run_at <= clock_timestamp() or run_at = 'infinity')`,
        ).toEqual([]);
        return await done(kind.count);
      },
      { ...patience, interval: 100 },
    );
    const times = Map.groupBy(effects, (id) => id);
    expect([times.size, atFirst.length < kind.count]).toEqual([kind.count, true]);
    expect(Math.max(...[...times.values()].map(({ length }) => length))).toBeLessThanOrEqual(3);
    console.log(`${name}: ${kind.count}, ${atFirst.length} before the first kill, 0 lost, ${effects.length - times.size} repeated`);
  },
);

test("kill -9 of the worker amid a restore leaves no half of a workspace, and the restore can be repeated", async () => {
  const place = await backedUpPlace();
  await addPosts(place, 600, "published");
  await call(place, "POST", "backup/run");
  const copied = async () =>
    (await sql<{ key: string }[]>`select key from private.backup_runs where workspace_id = ${place.workspaceId} and state = 'done'`)[0]
      ?.key;
  const key = await vi.waitUntil(copied, patience);
  const restore = () => call(place, "POST", "backup/restore", { key, name: "Restored", subdomain: `r${place.workspaceId.slice(0, 8)}` });
  const posts = async () =>
    await sql`select r.workspace_id, (select count(*)::int from public.posts p where p.workspace_id = r.workspace_id) as posts,
      (select count(*)::int from public.members m where m.workspace_id = r.workspace_id) as members from private.restores r where asked_in = ${place.workspaceId}`;
  const first = restore().then(
    () => "restored",
    () => "broken off",
  );
  await vi.waitUntil(async () => (await posts())[0]?.posts > 0, patience);
  await kill.worker();
  expect([await first, await posts()]).toMatchObject(["broken off", [{ members: 0 }]]);
  await sql`update private.restores set alive_at = now() - interval '11 minutes' where done_at is null`;
  await vi.waitUntil(async () => (await posts()).length === 0, patience);
  await vi.waitFor(restore, { timeout: 30_000, interval: 500 });
  expect(await posts()).toMatchObject([{ posts: 600, members: 1 }]);
});
