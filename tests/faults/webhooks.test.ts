import fs from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type RunningStack, startStack, type StackFile } from "../support/stack.ts";
import { type Receiver, startReceiver } from "../support/webhook-receiver.ts";
import { kill9 } from "./support/processes.ts";
import { makePlace } from "./support/writers.ts";

const [webhooks, events] = [10, 50];
const total = webhooks * events;
let stack: RunningStack;
let sql: postgres.Sql;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  stack = await startStack({
    args: ["serve"],
    env: { TIDINGS_PUBLIC_URL: "https://tidings.example", TIDINGS_WEBHOOKS_TO_PRIVATE: "1", TIDINGS_RATE_LIMIT_SCALE: "1000" },
  });
  sql = postgres(stack.dbUrl, { max: 2, onnotice: () => {} });
});
afterAll(async () => {
  await sql?.end({ timeout: 5 });
  await stack?.stop();
  receiver?.stop();
});

const pidsNow = () => (JSON.parse(fs.readFileSync(path.join(stack.dataDir, "stack.json"), "utf8")) as StackFile).pids;
const received = (count: number) =>
  vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(count), { timeout: 60_000, interval: 2 });

test("kill -9 of worker and Postgres in 500 webhook deliveries: each arrives once or twice, with one id", async () => {
  const { token, workspaceId } = await makePlace(stack);
  for (let at = 0; at < webhooks; at += 1) {
    const answer = await fetch(`${stack.url}/api/workspaces/${workspaceId}/webhooks`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ kind: "webhook", url: `${receiver.url}/${at}`, events: ["post.published"] }),
    });
    expect(answer.status).toBe(201);
  }
  await sql`with events as (
      insert into private.webhook_events (workspace_id, kind) select ${workspaceId}, 'webhook.ping' from generate_series(1, ${events}::int) returning id
    )
    select private.queue_delivery(e.id, w, false) from events e, private.webhooks w where w.workspace_id = ${workspaceId}`;
  await received(60);
  await kill9(() => pidsNow().functions.api);
  const killed = new Date();
  await received(260);
  await kill9(() => pidsNow().postgres);
  await vi.waitFor(
    async () => {
      // Ends the leases, which last 45 seconds, of the killed worker.
      await sql`update private.jobs set run_at = clock_timestamp() where task = 'send_webhook' and locked_at < ${killed} and run_at > clock_timestamp()`;
      const states =
        await sql`select state, count(*)::int as count from private.webhook_deliveries where workspace_id = ${workspaceId} group by 1`;
      expect([...states]).toEqual([{ state: "done", count: total }]);
    },
    { timeout: 120_000, interval: 500 },
  );
  expect(await sql`select from private.jobs where task = 'send_webhook'`).toHaveLength(0);
  const times = Map.groupBy(receiver.received, ({ path: to, headers }) => `${to} ${headers["webhook-id"]}`);
  expect(times.size).toBe(total);
  expect(Math.max(...[...times.values()].map(({ length }) => length))).toBeLessThanOrEqual(2);
  const twice = [...times.values()].filter(({ length }) => length === 2).length;
  console.log(`worker and Postgres killed in ${total} webhook deliveries: 0 lost, ${twice} repeated under their ids`);
});
