import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort, run, untilReady } from "../support/stack.ts";
import { processesOf } from "../faults/support/processes.ts";
import { startPlainPostgres } from "./plain/postgres.ts";
import { inPairs, median, Report } from "./report.ts";

/**
 * How long `npm start` takes without install and build, on an empty folder (with the demo) and on a used one, and what all its processes
 * weigh together; beside a new Postgres by itself, in turns. Usage: node tests/bench/boot.ts [runs]. Ends with 1 when a figure misses its limit.
 */
/** Starts: 4.6 s and 1.2 s on a machine where initdb and a start take 1.4 s. */
const limits = { "cold start": 3.3, "warm start": 0.85, memory: 600 };

const runs = Number(process.argv[2] ?? 3);
const seconds = { "cold start": [] as number[], "warm start": [] as number[], "plain Postgres": [] as number[] };
const megabytes: number[] = [];

for (let count = 0; count < runs; count++) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-boot-"));
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), SEED: "demo", TIDINGS_SKIP_BUILD: "1" };
  await measure("cold start", env);
  await measure("warm start", env);
  seconds["plain Postgres"].push(await startPlainPostgres());
  fs.rmSync(dataDir, { recursive: true, force: true });
}

const report = new Report();
for (const figure of ["cold start", "warm start"] as const) {
  console.log(`${figure}, s: ${seconds[figure].map((value) => value.toFixed(2)).join(", ")}`);
  const pair = inPairs(seconds[figure], seconds["plain Postgres"], "s", "initdb and start of Postgres");
  report.compare(figure, pair, "at most", limits[figure]);
}
report.judge("memory of all processes", median(megabytes), "at most", limits.memory, "MB");
report.end();

/** One start to the line that names the address, then the weight, then the stop. */
async function measure(figure: "cold start" | "warm start", env: Record<string, string>): Promise<void> {
  const began = performance.now();
  const running = run(["start"], env);
  while (!running.output().includes("Tidings is running at")) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (performance.now() - began > 60_000) throw new Error(`no start within a minute: ${running.output()}`);
  }
  seconds[figure].push((performance.now() - began) / 1_000);
  const stack = await untilReady(env.DATA_DIR!, running);
  await fetch(`${stack.url}/api/config`);
  megabytes.push(residentMegabytes(processesOf(stack)));
  running.signal("SIGTERM");
  await running.ended;
}

/** The sum of what each process holds in memory; pages that processes share count for each. */
function residentMegabytes(pids: number[]): number {
  const sizes = execFileSync("ps", ["-o", "rss=", "-p", pids.join(",")], { encoding: "utf8" })
    .trim()
    .split("\n");
  return sizes.reduce((sum, size) => sum + Number(size) / 1_024, 0);
}
