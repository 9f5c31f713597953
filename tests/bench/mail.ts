/**
 * Mail to many readers: how long it takes until a post that 10,000 hear of is 10,000 deliveries, how many mails a worker hands over in a
 * second, in how much memory, and what readers and writers of others wait meanwhile. Beside 2,000 other workspaces and 100,000 mails of before.
 * Usage: node tests/bench/mail.ts, after npm run build. Ends with 1 when a figure misses its limit. Linux only.
 */
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import postgres from "postgres";
import { type SecondFunction, startFunction } from "../api/support/second-function.ts";
import { startSmtpSink } from "../support/smtp-sink.ts";
import { freePort, startStack } from "../support/stack.ts";
import { makeBenchPlace } from "./api/people.ts";
import { callsOf, live, type Neighbour, p99, type Times } from "./neighbour/neighbour.ts";
import { median, Report } from "./report.ts";

const readers = 10_000;
const turns = 5;
const turnMs = 8_000;
/** A second, of a worker that leaves others their turn. */
const gentleRate = 250;
const limits = {
  /** A second, where a plain insert of as many rows takes 90 ms. */
  written: 11,
  /** 200 a second, where a plain program hands over 2,500. */
  rate: 0.08,
  meanwhile: 1.3,
  memoryMiB: 200,
};

let handed = 0;
let longest = 0;
const sink = http.createServer((request, response) => {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => (bytes += chunk.length));
  request.on("end", () => {
    handed += 1;
    longest = Math.max(longest, bytes);
    response.end("{}");
  });
});
await new Promise<void>((resolve) => sink.listen(0, "127.0.0.1", resolve));
const sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;

const report = new Report();
const port = await freePort();
const publicUrl = `http://localhost:${port}`;
const mail = { MAIL_API_URL: sinkUrl, MAIL_API_KEY: "key" };
const stack = await startStack({
  args: ["serve", "--insecure-http"],
  port,
  env: { PUBLIC_URL: publicUrl, RATE_LIMIT_SCALE: "1000", MAIL_RATE: String(gentleRate), ...mail },
});
const sql = postgres(stack.dbUrl, { max: 2, onnotice: () => {} });
let worker: SecondFunction | null = null;
try {
  await othersMail();
  const neighbour = await makeNeighbour();
  const [many, some, busy] = [
    await mailingWorkspace("many", readers),
    await mailingWorkspace("some", 3_000),
    await mailingWorkspace("busy", 0),
  ];
  await sql`vacuum (analyze) public.subscribers`;
  await sql`vacuum (analyze) private.deliveries`;
  await meanwhile(neighbour, some);
  process.kill(stack.pids.functions.api!, "SIGSTOP"); // from here on another worker does all of it
  worker = await startFunction(stack, "api", { PUBLIC_URL: publicUrl, MAIL_RATE: "100000", ...mail });
  await flatOut(worker, many);
  await digests(worker, busy);
  await overSmtp(some);
} finally {
  process.kill(stack.pids.functions.api!, "SIGCONT");
  await worker?.stop();
  await sql.end();
  await stack.stop();
  sink.close();
}
report.end();

/** Workspaces that mail too, with nothing due, and mails that went out before. */
async function othersMail(): Promise<void> {
  await sql`insert into public.workspaces (name, subdomain, public_changelog_enabled) select 'Other', 'other-' || n, true from generate_series(1, 2000) as n`;
  await sql`insert into public.subscribers (workspace_id, email, status, frequency, confirmed_at, last_digest_at)
    select w.id, 'r' || n || '@reader.example', 'active', (array['instant', 'daily', 'weekly'])[1 + n % 3]::public.subscriber_frequency, now(), now()
    from public.workspaces w, generate_series(1, 20) as n where w.name = 'Other'`;
  await sql`insert into private.deliveries (workspace_id, channel, kind, target_id, state, attempt, ended_at)
    select s.workspace_id, 'mail', 'digest', s.id, 'done', 1, now() - interval '1 day' from public.subscribers s, generate_series(1, 3) limit 100000`;
}

async function makeNeighbour(): Promise<Neighbour> {
  const { workspaceId, postIds, people } = await makeBenchPlace(stack, 20, 20);
  const posts = await sql<
    { slug: string }[]
  >`update public.posts set status = 'published' where workspace_id = ${workspaceId} returning slug`;
  const [workspace] = await sql<{ subdomain: string }[]>`
    update public.workspaces set public_changelog_enabled = true where id = ${workspaceId} returning subdomain`;
  const writers = people.map(({ token }, index) => ({ token, postId: postIds[index]! }));
  return { port, subdomain: workspace!.subdomain, slugs: posts.slice(0, 5).map(({ slug }) => slug), writers };
}

/** An open workspace that mails without delay, older than the first week in which mails are few; answers its id. */
async function mailingWorkspace(subdomain: string, subscribers: number): Promise<string> {
  const [workspace] = await sql<{ id: string }[]>`
    insert into public.workspaces (name, subdomain, public_changelog_enabled, created_at)
    values (${subdomain}, ${`mail-${subdomain}`}, true, now() - interval '30 days') returning id`;
  await sql`update public.mail_settings set undo_minutes = 0 where workspace_id = ${workspace!.id}`;
  await sql`insert into public.subscribers (workspace_id, email, status, confirmed_at)
    select ${workspace!.id}, 'r' || n || '@' || ${subdomain}::text || '.example', 'active', now() from generate_series(1, ${subscribers}::int) as n`;
  return workspace!.id;
}

/** A post of so many blocks, published now, as far as triggers go. */
async function publish(workspaceId: string, blocks = 20): Promise<void> {
  const content = {
    blocks: Array.from({ length: blocks }, (_, at) => ({
      type: "paragraph",
      data: { text: `Paragraph ${at}. ${"Words of a <b>post</b>. ".repeat(8)}` },
    })),
  };
  await sql`insert into public.posts (workspace_id, title, content_raw, author_name, status) values (${workspaceId}, 'News', ${sql.json(content)}, 'Ada', 'published')`;
}

async function left(workspaceId: string): Promise<number> {
  const [row] = await sql<{ left: number }[]>`
    select (select count(*) from private.deliveries d where d.workspace_id = ${workspaceId} and d.state = 'waiting')::int
      + (select count(*) from private.events e where e.workspace_id = ${workspaceId} and e.told_at is null)::int as left`;
  return row!.left;
}

async function untilSent(workspaceId: string): Promise<void> {
  while ((await left(workspaceId)) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** What readers and writers wait while mails go out, in turns with what they wait while none does. */
async function meanwhile(neighbour: Neighbour, workspaceId: string): Promise<void> {
  const calls = callsOf(neighbour);
  await live(calls, 3_000);
  const [idle, mailing]: Times[][] = [[], []];
  let rate = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    idle!.push(await live(calls, turnMs));
    await publish(workspaceId);
    while ((await left(workspaceId)) < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    const before = handed;
    mailing!.push(await live(calls, turnMs));
    rate += (handed - before) / (turnMs / 1_000) / turns;
    await untilSent(workspaceId);
  }
  report.compare(
    "mails a second beside readers and writers",
    { measured: rate, reference: await plainRate(), unit: "/s", against: "a plain program by itself" },
    "at least",
    limits.rate,
    `of at most ${gentleRate}; goal 200`,
  );
  for (const kind of ["page", "save"] as const) {
    const [measured, reference] = [mailing!, idle!].map((all) => median(all.map((times) => p99(times[kind])))) as [number, number];
    report.compare(
      `${kind} p99 while mails go out`,
      { measured, reference, unit: "ms", against: "while none does" },
      "at most",
      limits.meanwhile,
    );
  }
  const failed = [...idle!, ...mailing!].reduce((sum, times) => sum + times.failed, 0);
  report.judge("pages and saves that failed", failed, "at most", 0, "");
}

/** All deliveries that are due are made. */
async function makeAll(): Promise<void> {
  const open = async () => (await sql`select from private.events where told_at is null and due_at <= clock_timestamp()`).length;
  do await sql`select public.prepare_deliveries()`;
  while ((await open()) > 0);
}

/** One post to all: its deliveries, and how quickly a worker that nobody holds back hands them over. */
async function flatOut({ url, pid }: SecondFunction, workspaceId: string): Promise<void> {
  await fetch(`${url}/api/jobs/deliver`, { method: "POST" });
  const [written, plain]: number[][] = [[], []];
  await sql`create table public.plain_rows (id uuid primary key default gen_random_uuid(), one uuid not null, other uuid not null, at timestamptz default now())`;
  for (let run = 0; run < 3; run += 1) {
    await sql`truncate public.plain_rows`;
    plain!.push(
      await taken(
        () =>
          sql`insert into public.plain_rows (one, other) select ${workspaceId}::uuid, gen_random_uuid() from generate_series(1, ${readers}::int)`,
      ),
    );
    await publish(workspaceId);
    written!.push(await taken(makeAll)); // as many calls as it takes: each makes a piece
    if (run < 2) await sql`delete from private.deliveries where workspace_id = ${workspaceId} and state = 'waiting'`;
  }
  const [count] = await sql<{ count: number }[]>`
    select count(*)::int as count from private.deliveries where workspace_id = ${workspaceId} and state = 'waiting'`;
  report.judge("deliveries of one post", count!.count, "at least", readers, "");
  const pair = { measured: median(written!), reference: median(plain!), unit: "ms", against: "a plain insert of as many rows" };
  report.compare("deliveries written", pair, "at most", limits.written, "goal 1,000 ms");

  const reference = await plainRate();
  const before = memory(pid);
  const sentBefore = handed;
  const began = performance.now();
  for (let rest = readers; rest > 0; rest = await left(workspaceId)) await fetch(`${url}/api/jobs/deliver`, { method: "POST" });
  const measured = ((handed - sentBefore) / (performance.now() - began)) * 1_000;
  report.judge("mails of one post", handed - sentBefore, "at most", readers, "", "no double");
  report.compare(
    "mails a second, flat out",
    { measured, reference, unit: "/s", against: "a plain program" },
    "at least",
    limits.rate,
    "goal 200",
  );
  report.judge(
    "memory of the worker, more than before",
    memory(pid) - before,
    "at most",
    limits.memoryMiB,
    "MiB",
    `${before.toFixed(0)} MiB before`,
  );
}

/** One post to 3,000 by SMTP, as one's own mail server takes them. */
async function overSmtp(workspaceId: string): Promise<void> {
  await worker!.stop();
  const server = await startSmtpSink();
  worker = await startFunction(stack, "api", {
    PUBLIC_URL: publicUrl,
    MAIL_RATE: "100000",
    MAIL_SMTP_URL: `smtp://ops:word@127.0.0.1:${server.port}`,
    MAIL_FROM: "Tidings <news@tidings.example>",
  });
  const deliverOnce = () => fetch(`${worker!.url}/api/jobs/deliver`, { method: "POST" });
  await deliverOnce();
  await publish(workspaceId);
  const began = performance.now();
  do await deliverOnce();
  while ((await left(workspaceId)) > 0);
  const measured = (server.mails.length / (performance.now() - began)) * 1_000;
  report.tell(`${server.mails.length} mails by SMTP, a second`, measured, "/s");
  await server.stop();
}

/** Fifty posts of 300 blocks in one digest, for 300 readers. */
async function digests({ url, pid }: SecondFunction, workspaceId: string): Promise<void> {
  for (let post = 0; post < 50; post += 1) await publish(workspaceId, 300);
  await fetch(`${url}/api/jobs/deliver`, { method: "POST" });
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update public.posts set published_at = now() - interval '2 days' where workspace_id = ${workspaceId}`;
    await tx`update private.events set happened_at = now() - interval '2 days' where workspace_id = ${workspaceId}`;
  });
  await sql`insert into public.subscribers (workspace_id, email, status, frequency, confirmed_at, last_digest_at)
    select ${workspaceId}, 'd' || n || '@busy.example', 'active', 'daily', now(), now() - interval '4 days' from generate_series(1, 300) as n`;
  [handed, longest] = [0, 0];
  const before = memory(pid);
  const ms = await taken(() => fetch(`${url}/api/jobs/deliver`, { method: "POST" }));
  report.judge("digests of fifty posts of 300 blocks", handed, "at least", 300, "", `in ${ms.toFixed(0)} ms`);
  report.judge("a digest of fifty posts", longest / 1_000, "at most", 102, "kB", "HTML and text");
  report.judge("memory of the worker, more than before digests", memory(pid) - before, "at most", limits.memoryMiB, "MiB");
  const prepared: number[] = [];
  for (let run = 0; run < 10; run += 1) prepared.push(await taken(() => sql`select public.prepare_deliveries()`));
  report.tell("looking for what is due, 2,003 workspaces", median(prepared), "ms");
  const claimed: number[] = [];
  for (let run = 0; run < 10; run += 1) claimed.push(await taken(() => sql`select * from public.claim_mails(100)`));
  report.tell("taking nothing", median(claimed), "ms");
}

/** Mails a second that a program hands over which has them ready, ten at a time. */
async function plainRate(): Promise<number> {
  const body = JSON.stringify({ to: "a@reader.example", html: "x".repeat(8_000), text: "x".repeat(4_000) });
  let rest = 2_000;
  const one = async (): Promise<void> => {
    while (rest-- > 0) await (await fetch(sinkUrl, { method: "POST", body })).arrayBuffer();
  };
  return 2_000_000 / (await taken(() => Promise.all(Array.from({ length: 10 }, one))));
}

async function taken(work: () => PromiseLike<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The most memory that a process had so far, in MiB. */
function memory(pid: number): number {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_024;
}
