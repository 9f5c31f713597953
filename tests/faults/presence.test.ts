import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { presenceClose } from "#contract/presence.ts";
import { type SecondFunction, startFunction } from "../api/support/second-function.ts";
import { type RunningStack, startStack } from "../support/stack.ts";
import { signToken } from "../support/token.ts";
import { type BreakableProxy, startProxy } from "./support/breakable-proxy.ts";
import { PresenceClient } from "./support/presence-client.ts";
import { makePlace } from "./support/writers.ts";

const people = 50;
const backWithin = { timeout: 25_000, interval: 50 };
let stack: RunningStack;
let realtime: BreakableProxy;
let instances: SecondFunction[];
let clients: PresenceClient[];

const tokenOf = (sub: string) => signToken(stack, { sub, email: `${sub}@example.com` });

beforeAll(async () => {
  stack = await startStack();
  const { workspaceId } = await makePlace(stack);
  const ids = Array.from({ length: people }, () => randomUUID());
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  await sql`insert into auth.users (id, aud, role, email, email_confirmed_at) select id::uuid, 'authenticated', 'authenticated', id || '@example.com', now() from unnest(${ids}::text[]) as id`;
  await sql`insert into auth.sessions (id, user_id) select id::uuid, id::uuid from unnest(${ids}::text[]) as id`;
  await sql`insert into public.members (workspace_id, user_id, role) select ${workspaceId}, id::uuid, 'editor' from unnest(${ids}::text[]) as id`;
  const [post] = await sql`insert into public.posts (workspace_id, title, content_raw, created_by)
    values (${workspaceId}, 'Crowded', ${sql.json({ blocks: [{ type: "paragraph", data: { text: "x" } }] })}, ${ids[0]!}) returning id`;
  await sql.end();
  realtime = await startProxy(stack.ports.gateway);
  const env = { SUPABASE_URL: realtime.url };
  instances = await Promise.all([startFunction(stack, "presence", env), startFunction(stack, "presence", env)]);
  const path = `/ws/presence/${workspaceId}/${post!.id}`;
  const urls = () => instances.map(({ url }) => url);
  clients = ids.map((userId, first) => new PresenceClient({ userId, token: tokenOf(userId), path, instances: urls, first }));
}, 60_000);

afterAll(async () => {
  clients.forEach((client) => client.leave());
  await Promise.all(instances.map(({ stop }) => stop("SIGKILL")));
  realtime.close();
  await stack.stop();
});

function expectComplete(there = clients): void {
  const ids = there.map(({ userId }) => userId).sort();
  for (const { userId, others } of there) expect(others.toSorted()).toEqual(ids.filter((id) => id !== userId));
}
const seconds = (since: number) => ((performance.now() - since) / 1_000).toFixed(1);

test("fifty people on two instances see each other", { timeout: 30_000 }, async () => {
  await vi.waitFor(() => expectComplete(), backWithin);
});

test("a restart of Realtime closes all sockets with a retry code, and every client reconnects", { timeout: 60_000 }, async () => {
  const began = performance.now();
  await realtime.restart(500);
  await vi.waitFor(() => expect(clients.every(({ closeCodes }) => closeCodes.length > 0)).toBe(true), backWithin);
  await vi.waitFor(() => expectComplete(), backWithin);
  expect(new Set(clients.map(({ closeCodes }) => closeCodes[0]))).toEqual(new Set([presenceClose.restarting]));
  console.log(`Realtime restarted: all ${people} back after ${seconds(began)} s`);
});

test("a killed instance's clients reconnect to the other one", { timeout: 60_000 }, async () => {
  const began = performance.now();
  const [killed] = instances.splice(0, 1);
  await killed!.stop("SIGKILL");
  await vi.waitFor(() => expectComplete(), backWithin);
  console.log(`an instance killed: all ${people} back after ${seconds(began)} s`);
});

test("a client that doesn't reconnect disappears", { timeout: 90_000 }, async () => {
  const second = await startFunction(stack, "presence", { SUPABASE_URL: realtime.url });
  const [gone, there] = [clients.slice(0, 10), clients.slice(10)];
  gone.slice(0, 5).forEach((client) => client.leave());
  gone.slice(5).forEach((client) => client.giveUp());
  const [killed] = instances.splice(0, 1, second);
  const began = performance.now();
  await killed!.stop("SIGKILL");
  await vi.waitFor(() => expectComplete(there), { timeout: 60_000, interval: 100 });
  console.log(`ten people gone: no ghost after ${seconds(began)} s`);
  clients = there;
});
