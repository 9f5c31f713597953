import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { presenceClose } from "#contract/presence.ts";
import { type SecondFunction, startFunction } from "../api/support/second-function.ts";
import { type FrontDoor, startFrontDoor } from "../support/caddy.ts";
import { freePort, type RunningStack, startStack } from "../support/stack.ts";
import { startProxy } from "./support/breakable-proxy.ts";
import { PresenceClient } from "./support/presence-client.ts";
import { lost, makePlace, type Place, startWriters } from "./support/writers.ts";

let stack: RunningStack;
let place: Place;
let door: FrontDoor;
let post: { id: string; slug: string; userId: string };
let subdomain: string;
const paragraph = { type: "paragraph", data: { text: "Whatever breaks." } };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

beforeAll(async () => {
  const ports = { https: await freePort(), http: await freePort(), ask: await freePort() };
  const env = { TIDINGS_PUBLIC_URL: `https://localhost:${ports.https}`, TIDINGS_RATE_LIMIT_SCALE: "1000" };
  stack = await startStack({ args: ["serve"], env });
  place = await makePlace(stack);
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  const [row] = await sql`update public.workspaces set public_changelog_enabled = true where id = ${place.workspaceId} returning subdomain`;
  subdomain = row!.subdomain as string;
  const [member] = await sql`select user_id from public.members where workspace_id = ${place.workspaceId}`;
  await sql.end();
  const answer = await fetch(`${stack.url}/api/posts`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${place.token}` },
    body: JSON.stringify({ title: "Still here", workspace_id: place.workspaceId, blocks: [paragraph], status: "published" }),
  });
  expect(answer.status).toBe(201);
  post = { ...((await answer.json()) as { post: { id: string; slug: string } }).post, userId: member!.user_id as string };
  door = await startFrontDoor({ supabaseUrl: stack.url, ports, files: "dist", patience: "3s" });
});
afterAll(async () => {
  await door?.stop();
  await stack?.stop();
});

test("while Realtime is down, its sockets get a retry code, writing works, and presence returns with it", async () => {
  const realtime = await startProxy(stack.ports.gateway);
  const presence: SecondFunction = await startFunction(stack, "presence", { SUPABASE_URL: realtime.url });
  const client = new PresenceClient({
    userId: post.userId,
    token: place.token,
    path: `/ws/presence/${place.workspaceId}/${post.id}`,
    instances: () => [presence.url],
    first: 0,
  });
  try {
    await expect.poll(() => client.updates, { timeout: 10_000 }).toBeGreaterThan(0);
    const writers = startWriters(stack, place, 2);
    await realtime.restart(5_000);
    await writers.stop();
    expect(client.closeCodes.length).toBeGreaterThan(0);
    expect(new Set(client.closeCodes)).toEqual(new Set([presenceClose.restarting]));
    expect(writers.calls.filter(({ status }) => status !== 201)).toEqual([]);
    expect(await lost(stack, writers.acknowledged)).toEqual([]);
    const before = client.updates;
    await expect.poll(() => client.updates, { timeout: 15_000 }).toBeGreaterThan(before);
    console.log(`Realtime away for 5 s: ${writers.acknowledged.length} of ${writers.calls.length} writes acknowledged, 0 lost`);
  } finally {
    client.leave();
    await presence.stop();
    realtime.close();
  }
});

test("a function that hangs gets a timeout from the front door; pages, files and sign-in work, and it recovers", async () => {
  const api = stack.pids.functions.api!;
  const ask = async (host: string, address: string) => (await door.request(host, address)).status;
  expect(await ask("localhost", "/api/config")).toBe(200);
  process.kill(api, "SIGSTOP"); // accepts connections and never answers
  try {
    const stuck = await Promise.all(Array.from({ length: 10 }, () => door.request("localhost", "/api/config")));
    expect(stuck.map(({ status }) => status)).toEqual(Array(10).fill(503));
    expect(JSON.parse(stuck[0]!.text)).toMatchObject({ code: "unavailable" });
    const others = await Promise.all([
      ask(`${subdomain}.localhost`, `/releases/${post.slug}`),
      ask(`${subdomain}.localhost`, "/releases.json"),
      ask("localhost", "/"),
      ask("localhost", "/widget.js"),
      door.request("localhost", "/auth/v1/settings", { headers: { apikey: stack.publishableKey } }).then(({ status }) => status),
    ]);
    expect(others).toEqual([200, 200, 200, 200, 200]);
    console.log("a function hangs: 10 of its calls refused in time, 5 of 5 others answered");
  } finally {
    process.kill(api, "SIGCONT");
  }
  await pause(100);
  await expect.poll(() => ask("localhost", "/api/config"), { timeout: 10_000 }).toBe(200);
});

test("while pages are down, a shared cache can serve stale ones for an hour, and error responses aren't cached", async () => {
  const releases = stack.pids.functions.releases!;
  const read = () => door.request(`${subdomain}.localhost`, `/releases/${post.slug}`);
  const fresh = await read();
  expect([fresh.status, fresh.headers["cache-control"]]).toEqual([200, expect.stringContaining("stale-if-error=3600")]);
  process.kill(releases, "SIGSTOP");
  try {
    const answers = await Promise.all(Array.from({ length: 5 }, read));
    expect(answers.map(({ status, headers }) => [status, headers["cache-control"]])).toEqual(Array(5).fill([503, "no-store"]));
    console.log("pages down: 5 of 5 answers say so and are not kept");
  } finally {
    process.kill(releases, "SIGCONT");
  }
  await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe(200);
});
