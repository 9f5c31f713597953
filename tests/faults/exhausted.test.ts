import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { afterEach, expect, test, vi } from "vitest";
import { png } from "../support/picture-files.ts";
import { type RunningStack, startStack } from "../support/stack.ts";
import { newDataFolder } from "../support/template.ts";
import { onlyRootMounts, smallDisk } from "./support/small-disk.ts";
import { lost, makePlace, type Place, startWriters, type Writers } from "./support/writers.ts";

let stack: RunningStack | null = null;
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  await stack?.stop();
  stack = null;
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const counted = ({ calls }: Writers): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of calls) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const untilWritten = ({ acknowledged }: Writers, count = 25) =>
  vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(count), { timeout: 30_000, interval: 20 });

async function untilWritesWork({ calls }: Writers): Promise<void> {
  const from = calls.length;
  await expect.poll(() => calls.slice(from).filter(({ status }) => status === 201).length, { timeout: 15_000 }).toBeGreaterThan(3);
}

test("without a free Postgres connection, open ones still work, others get 503, and nothing is lost", async () => {
  stack = await startStack({ env: { TIDINGS_FAST: "0", TIDINGS_RATE_LIMIT_SCALE: "1000" } });
  const place = await makePlace(stack);
  const writers = startWriters(stack, place, 4);
  await untilWritten(writers);
  const held = await takeEveryConnection(stack.ownerUrl);
  cleanUp.push(() => Promise.all(held.map((sql) => sql.end({ timeout: 1 }))));
  await expect(postgres(stack.ownerUrl, { max: 1, onnotice: () => {} })`select 1`).rejects.toMatchObject({ code: "53300" });
  const more = startWriters(stack, place, 12);
  const reads: number[] = [];
  for (const end = Date.now() + 2_000; Date.now() < end;) {
    reads.push((await fetch(`${stack.url}/releases.json?workspace=nobody-${reads.length}`)).status);
    reads.push((await fetch(`${stack.url}/healthz`)).status);
  }
  await Promise.all(held.splice(0).map((sql) => sql.end({ timeout: 1 })));
  await untilWritesWork(more);
  await Promise.all([writers.stop(), more.stop()]);
  writers.calls.push(...more.calls);
  writers.acknowledged.push(...more.acknowledged);

  expect(writers.calls.filter(({ status }) => ![201, 503].includes(status))).toEqual([]);
  expect(reads.filter((status) => ![200, 404, 503].includes(status))).toEqual([]);
  expect(await lost(stack, writers.acknowledged)).toEqual([]);
  expect((await fetch(`${stack.url}/healthz`)).status).toBe(200);
  console.log(`no connection left: answers ${JSON.stringify(counted(writers))}, ${writers.acknowledged.length} acknowledged, 0 lost`);
});

async function takeEveryConnection(url: string): Promise<postgres.Sql[]> {
  const held: postgres.Sql[] = [];
  for (let count = 0; count < 200; count++) {
    const sql = postgres(url, { max: 1, onnotice: () => {}, idle_timeout: 0 });
    const opened = await sql`select 1`.then(
      () => true,
      () => false,
    );
    if (!opened) {
      await sql.end({ timeout: 1 });
      return held;
    }
    held.push(sql);
  }
  throw new Error("Postgres has more connections than it was told");
}

async function uploadLogo(stack: RunningStack, { token, workspaceId }: Place): Promise<[number, unknown]> {
  const form = new FormData();
  form.append("image", new Blob([png.file(png.head(1, 1), png.pixels()) as BlobPart], { type: "image/png" }));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${stack.url}/api/workspaces/${workspaceId}/logo`, { method: "POST", headers, body: form });
  return [answer.status, await answer.json()];
}

test("a full disk: every error says so, acknowledged writes stay, and work resumes when there's room", async ({ skip }) => {
  const disk = smallDisk(400);
  if (!disk) return skip(onlyRootMounts);
  cleanUp.push(disk.remove);
  stack = await startStack({
    dataDir: await newDataFolder(path.join(disk.folder, "data")),
    env: { TIDINGS_FAST: "0", TIDINGS_RATE_LIMIT_SCALE: "1000" },
  });
  const place = await makePlace(stack);
  const writers = startWriters(stack, place, 4);
  await untilWritten(writers);
  const filler = path.join(disk.folder, "filler");
  spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=1M"], { stdio: "ignore" });
  const before = writers.acknowledged.length;
  await pause(2_000);
  process.kill(stack.pids.functions.api!, "SIGKILL");
  await pause(2_000);
  const during = writers.calls.length;
  const full = [507, { code: "storage_full", error: expect.any(String) }];
  await expect.poll(() => uploadLogo(stack!, place), { timeout: 20_000 }).toMatchObject(full); // once the function is back
  const health = await fetch(`${stack.url}/healthz`);
  const state = [health.status, ((await health.json()) as { parts: Record<string, string> }).parts.disk];
  fs.rmSync(filler);
  await untilWritesWork(writers);
  await writers.stop();

  expect(writers.calls.filter(({ status }) => ![201, 500, 502, 503, 507].includes(status))).toEqual([]);
  expect(writers.calls.some(({ status }) => status !== 201)).toBe(true);
  expect(state).toEqual([503, "full"]);
  expect((await uploadLogo(stack, place))[0]).toBe(201);
  expect(await lost(stack, writers.acknowledged)).toEqual([]);
  expect((await fetch(`${stack.url}/healthz`)).status).toBe(200);
  console.log(
    `disk full: ${before} acknowledged before, answers ${JSON.stringify(counted(writers))} of which ${during} by then, 0 of ${writers.acknowledged.length} lost`,
  );
});
