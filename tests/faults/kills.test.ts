import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { freePort, type RunningStack, startStack, type StackFile } from "../support/stack.ts";
import { newDataFolder } from "../support/template.ts";
import { isRunning, kill9, killAll9, processesOf, stillRunning } from "./support/processes.ts";
import { lost, makePlace, startWriters, type Writers } from "./support/writers.ts";

const writerCount = 4;
/** Takes 0.3 to 1.5 s on an idle machine (each test logs it). */
const backWithinMs = 15_000;
const answersWithinMs = 5_000;
const folders: string[] = [];
let stack: RunningStack | null = null;

afterEach(async () => {
  await stack?.stop();
  stack = null;
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

async function start(dataDir: string, port: number): Promise<RunningStack> {
  stack = await startStack({ dataDir, port, env: { TIDINGS_FAST: "0" } });
  return stack;
}

async function newFolder(): Promise<string> {
  const folder = await newDataFolder();
  folders.push(folder);
  return folder;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const untilWritten = ({ acknowledged }: Writers, count = 25) =>
  vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(count), { timeout: 30_000, interval: 20 });
const readStackFile = (dataDir: string) => JSON.parse(fs.readFileSync(path.join(dataDir, "stack.json"), "utf8")) as StackFile;

const startedBy = (dataDir: string) =>
  [...fs.readFileSync(path.join(dataDir, "children.json"), "utf8").matchAll(/"pid":(\d+),/g)].map(([, pid]) => Number(pid));

/**
 * Milliseconds from `moment` to the first success of a call made after the first failure; 0 without a failure. Calls already in flight don't count.
 */
function outage({ calls }: Writers, moment: number): number {
  const failed = calls.find(({ at, status }) => at > moment && status !== 201);
  if (!failed) return calls.some(({ at, ms, status }) => at - ms > moment && status === 201) ? 0 : Number.POSITIVE_INFINITY;
  const back = calls.find(({ at, ms, status }) => at - ms > failed.at && status === 201);
  return (back?.at ?? Number.POSITIVE_INFINITY) - moment;
}

async function untilBack(writers: Writers, moment: number): Promise<number> {
  await pause(250); // lets calls fail first
  await vi.waitFor(() => expect(outage(writers, moment)).toBeLessThan(backWithinMs), { timeout: backWithinMs, interval: 50 });
  await pause(250);
  return Math.round(outage(writers, moment));
}

/** Every call succeeded or failed with 502 or 503. */
function expectHonestAnswers({ calls }: Writers): void {
  const others = calls.filter(({ status }) => ![201, 502, 503].includes(status));
  expect(others).toEqual([]);
  expect(Math.max(...calls.map(({ ms }) => ms))).toBeLessThan(answersWithinMs);
}

describe("kill -9 during writes", () => {
  test("of Postgres makes callers get 503 until it restarts, and loses no acknowledged write", async () => {
    const { pids, dataDir } = await start(await newFolder(), await freePort());
    const writers = startWriters(stack!, await makePlace(stack!), writerCount);
    await untilWritten(writers);
    const outages: number[] = [];
    for (let round = 0; round < 3; round++) {
      await kill9(() => readStackFile(dataDir).pids.postgres);
      const killed = performance.now();
      outages.push(await untilBack(writers, killed));
    }
    await writers.stop();
    expectHonestAnswers(writers);
    expect(writers.acknowledged.length).toBeGreaterThan(20);
    expect(await lost(stack!, writers.acknowledged)).toEqual([]);
    expect(readStackFile(dataDir).pids.postgres).not.toBe(pids.postgres);
    console.log(`Postgres killed 3 times, away for ${outages.join(", ")} ms: ${writers.acknowledged.length} acknowledged, 0 lost`);
  });

  test("of one of Postgres' processes does the same", async () => {
    await start(await newFolder(), await freePort());
    const writers = startWriters(stack!, await makePlace(stack!), writerCount);
    await untilWritten(writers);
    await kill9(() => processesOf(stack!).at(-1));
    const killed = performance.now();
    await untilBack(writers, killed);
    await writers.stop();
    expectHonestAnswers(writers);
    expect(await lost(stack!, writers.acknowledged)).toEqual([]);
  });

  test("of a function makes callers get 502 or 503 until it restarts, and loses no acknowledged write", async () => {
    const { dataDir, pids } = await start(await newFolder(), await freePort());
    const writers = startWriters(stack!, await makePlace(stack!), writerCount);
    await untilWritten(writers);
    const outages: number[] = [];
    for (let round = 0; round < 3; round++) {
      await kill9(() => readStackFile(dataDir).pids.functions.api);
      const killed = performance.now();
      outages.push(await untilBack(writers, killed));
    }
    await writers.stop();
    expectHonestAnswers(writers);
    expect(await lost(stack!, writers.acknowledged)).toEqual([]);
    expect(readStackFile(dataDir).pids.functions.api).not.toBe(pids.functions.api);
    console.log(`function killed 3 times, away for ${outages.join(", ")} ms: ${writers.acknowledged.length} acknowledged, 0 lost`);
  });

  test("of a function with a slow successor recovers when the successor listens", async () => {
    const { dataDir, url } = await start(await newFolder(), await freePort());
    const before = new Set(startedBy(dataDir));
    await kill9(() => readStackFile(dataDir).pids.functions.api);
    const successor = await vi.waitUntil(() => startedBy(dataDir).find((pid) => !before.has(pid)), { timeout: 30_000, interval: 2 });
    process.kill(successor, "SIGSTOP");
    await pause(12_000);
    expect((await fetch(`${url}/api/config`)).status).toBe(503);
    process.kill(successor, "SIGCONT");
    await expect.poll(async () => (await fetch(`${url}/api/config`)).status, { timeout: 30_000 }).toBe(200);
    expect(readStackFile(dataDir).pids.functions.api).toBe(successor);
  });

  test("of the supervisor lets the next start clean up, and loses no acknowledged write", async () => {
    const [dataDir, port] = [await newFolder(), await freePort()];
    const first = await start(dataDir, port);
    const place = await makePlace(first);
    const writers = startWriters(first, place, writerCount);
    await untilWritten(writers);
    const before = processesOf(first);
    process.kill(first.pids.supervisor, "SIGKILL");
    await writers.stop();
    expect(isRunning(first.pids.postgres)).toBe(true);

    const second = await start(dataDir, port);
    expect(await stillRunning(before, 10_000)).toEqual([]);
    expect(writers.acknowledged.length).toBeGreaterThan(10);
    expect(await lost(second, writers.acknowledged)).toEqual([]);
    const again = startWriters(second, place, 1);
    await pause(300);
    await again.stop();
    expect(again.acknowledged.length).toBeGreaterThan(0);
    console.log(`supervisor killed: ${writers.acknowledged.length} acknowledged, 0 lost`);
  });

  test("of everything at once loses no acknowledged write", async () => {
    const [dataDir, port] = [await newFolder(), await freePort()];
    const first = await start(dataDir, port);
    const writers = startWriters(first, await makePlace(first), writerCount);
    await untilWritten(writers);
    killAll9(processesOf(first));
    await writers.stop();
    const second = await start(dataDir, port);
    expect(await lost(second, writers.acknowledged)).toEqual([]);
  });
});
