/**
 * Webhooks: how long 1,000 deliveries to one healthy address of this machine take, and whether it hears later while an address of another
 * workspace hangs. Beside 2,000 other webhooks and 100,000 deliveries of before. And what a save of a draft pays for all of it.
 * Usage: node tests/bench/webhooks.ts, after npm run build. Ends with 1 when a figure misses its limit. Linux only.
 */
import postgres from "postgres";
import { type SecondFunction, startFunction } from "../api/support/second-function.ts";
import { startStack } from "../support/stack.ts";
import { startReceiver } from "../support/webhook-receiver.ts";
import { makeBenchPlace } from "./api/people.ts";
import { median, Report } from "./report.ts";

const deliveries = 1_000;
const turns = 5;
const limits = {
  /** 20 s where a plain program that has them ready hands over as many in 0.7. */
  deliveries: 28,
  meanwhile: 1.1,
  draft: 1.05,
};

const receiver = await startReceiver(({ path }) => (path === "/hangs" ? "hang" : { status: 200, body: "ok" }));
const report = new Report();
const stack = await startStack({ env: { RATE_LIMIT_SCALE: "1000", WEBHOOKS_TO_PRIVATE: "1" } });
const sql = postgres(stack.dbUrl, { max: 2, onnotice: () => {} });
let worker: SecondFunction | null = null;
try {
  const { workspaceId, people } = await makeBenchPlace(stack, 20, 20);
  const [token] = people.map((person) => person.token);
  await drafts();
  await othersWebhooks();
  process.kill(stack.pids.functions.api!, "SIGSTOP"); // from here on another worker does all of it
  worker = await startFunction(stack, "api", { RATE_LIMIT_SCALE: "1000", WEBHOOKS_TO_PRIVATE: "1" });
  const healthy = await newWebhook(worker, token!, workspaceId, "/healthy");
  await deliver(worker, healthy); // warm
  const hanging = await hangingWebhook(worker);
  const [idle, beside]: number[][] = [[], []];
  const [seconds, plain]: number[][] = [[], []];
  const alone = async () => void idle!.push((await deliver(worker!, healthy)).p95);
  const meanwhile = async (): Promise<void> => {
    await hang(worker!, hanging);
    const { p95, ms } = await deliver(worker!, healthy);
    if (receiver.hanging() === 0) throw new Error("nothing hung meanwhile");
    beside!.push(p95);
    seconds!.push(ms / 1_000);
    await settle(hanging);
    plain!.push(await plainly());
  };
  // Now the one first, now the other: tables grow from turn to turn.
  for (let turn = 0; turn < turns; turn += 1)
    for (const measure of turn % 2 === 0 ? [alone, meanwhile] : [meanwhile, alone]) await measure();
  report.compare(
    `${deliveries} deliveries to one address while another one hangs`,
    { measured: Math.max(...seconds!), reference: median(plain!), unit: "s", against: "a plain program" },
    "at most",
    limits.deliveries,
    "goal 20 s",
  );
  report.tell("of these until 95 % have arrived, nothing else under way", median(idle!), "ms");
  report.judge("the same while another one hangs", median(beside!) / median(idle!), "at most", limits.meanwhile, "times");
} finally {
  process.kill(stack.pids.functions.api!, "SIGCONT");
  await worker?.stop();
  await sql.end();
  await stack.stop();
  receiver.stop();
}
report.end();

/** A save of a draft where nobody has webhooks, beside one without the triggers. In turns, because a machine has moods. */
async function drafts(): Promise<void> {
  const [post] = await sql<{ id: string }[]>`select id from public.posts where status = 'draft' limit 1`;
  const save = (time: number) => sql`update public.posts set title = ${`Draft ${time}`} where id = ${post!.id}`;
  const timed = async (verb: "enable" | "disable"): Promise<number> => {
    await sql.unsafe(`alter table public.posts ${verb} trigger posts_96_tell_webhooks`);
    for (let time = 0; time < 50; time += 1) await save(time); // what is planned anew is planned
    const times: number[] = [];
    for (let time = 0; time < 200; time += 1) {
      const began = performance.now();
      await save(time);
      times.push(performance.now() - began);
    }
    return median(times);
  };
  const [with_, without]: number[][] = [[], []];
  for (let turn = 0; turn < turns * 2; turn += 1) {
    const both = [async () => with_!.push(await timed("enable")), async () => without!.push(await timed("disable"))];
    for (const one of turn % 2 === 0 ? both : both.toReversed()) await one();
  }
  await sql`alter table public.posts enable trigger posts_96_tell_webhooks`;
  report.judge(
    "a save of a draft, beside one without webhooks' trigger",
    median(with_!) / median(without!),
    "at most",
    limits.draft,
    "times",
  );
}

/** Webhooks of others, with nothing due, and what went out before. */
async function othersWebhooks(): Promise<void> {
  await sql`insert into public.workspaces (name, subdomain) select 'Other', 'other-' || n from generate_series(1, 1000) as n`;
  await sql`insert into private.webhooks (workspace_id, kind, url, sealed, events)
    select w.id, 'webhook', 'https://hooks.example/', repeat('x', 40), '{post.published}' from public.workspaces w, generate_series(1, 2) where w.name = 'Other'`;
  await sql`insert into private.webhook_events (workspace_id, kind)
    select w.id, 'webhook.ping' from public.workspaces w, generate_series(1, 50) where w.name = 'Other'`;
  await sql`insert into private.webhook_deliveries (event_id, webhook_id, workspace_id, state, attempt, ended_at)
    select e.id, h.id, e.workspace_id, 'done', 1, now() from private.webhook_events e join private.webhooks h on h.workspace_id = e.workspace_id`;
  // Some of them wait for their next try.
  await sql`update private.webhook_deliveries d set state = 'waiting', ended_at = null, due_at = now() + interval '1 hour'
    where d.id in (select distinct on (x.webhook_id) x.id from private.webhook_deliveries x)`;
  await sql`vacuum (analyze) private.webhook_deliveries`;
}

interface Hook {
  id: string;
  workspaceId: string;
  path: string;
}

async function newWebhook({ url }: SecondFunction, token: string, workspaceId: string, path: string): Promise<Hook> {
  const answer = await fetch(`${url}/api/workspaces/${workspaceId}/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ url: receiver.url + path, events: ["post.published"], kind: "webhook" }),
  });
  if (answer.status !== 201) throw new Error(`no webhook: ${await answer.text()}`);
  const { webhook } = (await answer.json()) as { webhook: { id: string } };
  return { id: webhook.id, workspaceId, path };
}

async function hangingWebhook(at: SecondFunction): Promise<Hook> {
  const { workspaceId, people } = await makeBenchPlace(stack, 1, 1);
  return await newWebhook(at, people[0]!.token, workspaceId, "/hangs");
}

async function add({ id, workspaceId }: Hook, count: number): Promise<void> {
  await sql`with e as (
      insert into private.webhook_events (workspace_id, kind) select ${workspaceId}, 'webhook.ping' from generate_series(1, ${count}::int) returning id
    )
    insert into private.webhook_deliveries (event_id, webhook_id, workspace_id) select e.id, ${id}, ${workspaceId} from e`;
}

async function wake({ url }: SecondFunction): Promise<void> {
  await (await fetch(`${url}/api/jobs/deliver`, { method: "POST" })).body?.cancel();
}

/** A thousand; how long they took, and after how long 95 of a hundred had arrived. */
async function deliver(at: SecondFunction, hook: Hook): Promise<{ ms: number; p95: number }> {
  await add(hook, deliveries);
  const before = receiver.received.length;
  const began = performance.now();
  while (receiver.received.length - before < deliveries) {
    if (performance.now() - began > 120_000) throw new Error("two minutes are over");
    await Promise.all([wake(at), new Promise((resolve) => setTimeout(resolve, 50))]);
  }
  const times = receiver.received.slice(before).map(({ at: time }) => time - began);
  return { ms: Math.max(...times), p95: times[Math.floor(deliveries * 0.95)]! };
}

/** Seconds that a program takes to hand over as many that it has ready, sixteen at a time. */
async function plainly(): Promise<number> {
  const body = JSON.stringify({ type: "post.published", data: "x".repeat(2_000) });
  let rest = deliveries;
  const one = async (): Promise<void> => {
    while (rest-- > 0) await (await fetch(`${receiver.url}/plain`, { method: "POST", body })).arrayBuffer();
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: 16 }, one));
  return (performance.now() - began) / 1_000;
}

/** As many as it may have at a time hang from now on, for a quarter of a minute. */
async function hang(at: SecondFunction, hook: Hook): Promise<void> {
  await add(hook, 60);
  while (receiver.hanging() < 16) {
    await wake(at);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Those that hang are given up, and forgotten: the next turn is as this one was. */
async function settle({ id }: Hook): Promise<void> {
  while (receiver.hanging() > 0) await new Promise((resolve) => setTimeout(resolve, 200));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const isDeadlock = (error: unknown) => (error as { code?: string }).code === "40P01"; // the worker records what it has just given up
  const forget = () => sql`delete from private.webhook_deliveries where webhook_id = ${id}`;
  await forget().catch((error: unknown) => (isDeadlock(error) ? forget() : Promise.reject(error)));
  await sql`update private.webhooks set failing_since = null, failed_tries = 0, wait_until = null where id = ${id}`;
}
