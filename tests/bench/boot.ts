import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort, run, untilReady } from "../support/stack.ts";
import { processesOf } from "../faults/support/processes.ts";
import { median, Report } from "./report.ts";

/**
 * How long `npm start` takes without install and build, on an empty folder (with the demo) and on a used one, and what all its processes
 * weigh together. Usage: node tests/bench/boot.ts [runs]. Ends with an error when the median of a figure is over its limit.
 */
const limits = { "cold start": [5, "s"], "warm start": [2, "s"], "memory of all processes": [600, "MB"] } as const;
type Figure = keyof typeof limits;

const runs = Number(process.argv[2] ?? 3);
const figures: Record<Figure, number[]> = { "cold start": [], "warm start": [], "memory of all processes": [] };

for (let count = 0; count < runs; count++) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-boot-"));
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), SEED: "demo", TIDINGS_SKIP_BUILD: "1" };
  await measure("cold start", env);
  await measure("warm start", env);
  fs.rmSync(dataDir, { recursive: true, force: true });
}

const report = new Report();
for (const [figure, values] of Object.entries(figures) as [Figure, number[]][]) {
  const [limit, unit] = limits[figure];
  console.log(`${figure}, ${unit}: ${values.map((value) => value.toFixed(2)).join(", ")}`);
  report.judge(figure, median(values), "at most", limit, unit);
}
report.end();

/** One start to the line that names the address, then the weight, then the stop. */
async function measure(figure: "cold start" | "warm start", env: Record<string, string>): Promise<void> {
  const began = performance.now();
  const running = run(["start"], env);
  while (!running.output().includes("Tidings is running at")) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (performance.now() - began > 60_000) throw new Error(`no start within a minute: ${running.output()}`);
  }
  figures[figure].push((performance.now() - began) / 1_000);
  const stack = await untilReady(env.DATA_DIR!, running);
  await fetch(`${stack.url}/api/config`);
  figures["memory of all processes"].push(residentMegabytes(processesOf(stack)));
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
