import { readFileSync } from "node:fs";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { version } from "#contract/version.ts";
import { freePort, readStackFile, type RunningStack, startStack } from "../support/stack.ts";
import { kill9 } from "./support/processes.ts";
import { makePlace, type Place } from "./support/writers.ts";

let stack: RunningStack;
let place: Place;
let metricsPort: number;
const patience = { timeout: 10_000 };

beforeAll(async () => {
  metricsPort = await freePort();
  stack = await startStack({ env: { TIDINGS_METRICS_PORT: String(metricsPort) } });
  place = await makePlace(stack);
});
afterAll(() => stack?.stop());

async function metrics(): Promise<Map<string, number>> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = (await answer.text()).trim().split("\n");
  const lines = text.filter((line) => line !== "" && !/^# (?:HELP|TYPE) [a-z\d_]+ \S/.test(line));
  for (const line of lines)
    expect(line).toMatch(/^[a-z\d_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? (?:\d+(?:\.\d+)?(?:e[+-]\d+)?|Nan)$/);
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
}

test("the clock counts files waiting for deletion without a call", { timeout: 30_000 }, async () => {
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  const discarded = async () => (await metrics()).get("tidings_discarded_files");
  const discard = async () => {
    await sql`insert into private.discarded_files (bucket, path) values ('post-images', ${`${place.workspaceId}/gone.png`})
      on conflict do nothing`;
    return await discarded();
  };
  await expect.poll(discard, patience).toBe(1);
  await sql.end();
  await expect.poll(discarded, { timeout: 20_000, interval: 250 }).toBe(0);
  const lastSuccess = async () => (await metrics()).get('tidings_job_last_success_timestamp_seconds{job="run_jobs"}') ?? 0;
  await expect.poll(lastSuccess, patience).toBeGreaterThan(Date.now() / 1_000 - 20);
});

test("the gauge of Realtime's open sockets updates without a call", async () => {
  const open = async () => (await metrics()).get("tidings_realtime_sockets");
  const before = (await open())!;
  const address = `${stack.url.replace("http", "ws")}/realtime/v1/websocket?vsn=1.0.0&apikey=${stack.publishableKey}`;
  const sockets = [new WebSocket(address), new WebSocket(address)];
  await expect.poll(open, patience).toBe(before + 2);
  for (const socket of sockets) socket.close();
  await expect.poll(open, patience).toBe(before);
  expect((await metrics()).get("tidings_sockets")).toBe(0);
});

test("the gauge counts open sockets and drops closed ones", async () => {
  const post = await fetch(`${stack.url}/api/posts`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${place.token}` },
    body: JSON.stringify({ title: "Watched", workspace_id: place.workspaceId, blocks: [{ type: "paragraph", data: { text: "x" } }] }),
  });
  const { id } = ((await post.json()) as { post: { id: string } }).post;
  const socket = new WebSocket(`${stack.url.replace("http", "ws")}/ws/presence/${place.workspaceId}/${id}`, [
    "presence.v1",
    `jwt.${place.token}`,
  ]);
  await expect.poll(async () => (await metrics()).get("tidings_sockets"), patience).toBe(1);
  socket.close();
  await expect.poll(async () => (await metrics()).get("tidings_sockets"), patience).toBe(0);
});

test("metrics aren't on the public port", async () => {
  const answer = await fetch(`${stack.url}/metrics`, { headers: { accept: "text/plain" } });
  expect(await answer.text()).not.toContain("tidings_requests_total");
});

test("/readyz answers like /healthz: 200 only when every part is up", async () => {
  const answer = await fetch(`${stack.url}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { status: "ok", version, parts: expect.objectContaining({ postgres: "up", api: "up" }) },
  ]);
});

test("the gauge of a killed part is 0", async () => {
  const up = async () => (await metrics()).get("tidings_database_up");
  const killed = async () => {
    await kill9(() => readStackFile(stack.dataDir)?.pids.postgres);
    return await up();
  };
  await expect.poll(killed, { interval: 10, timeout: 20_000 }).toBe(0);
  await expect.poll(up, { timeout: 20_000 }).toBe(1);
});

test("every metric of the dashboard, the alert rules and the docs exists", async () => {
  await fetch(`${stack.url}/healthz`); // so that a request was counted
  const names = async () => new Set([...(await metrics()).keys()].map((name) => name.replace(/\{.*/, "")));
  await expect.poll(names, { timeout: 20_000 }).toContain("tidings_due_posts"); // the database was killed before
  const existing = await names();
  const files = ["deploy/monitoring/grafana.json", "deploy/monitoring/alerts.yml", "docs/operations.md"];
  for (const file of files) {
    const named = readFileSync(file, "utf8").match(/\btidings_[a-z_]+\b/g) ?? [];
    expect([file, named.filter((name) => !existing.has(name) && !existing.has(`${name}_count`))]).toEqual([file, []]);
    expect(named.length).toBeGreaterThan(5);
  }
});
