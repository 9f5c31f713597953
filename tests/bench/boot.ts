import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort, run, untilReady } from "../support/stack.ts";
import { processesOf } from "../faults/support/processes.ts";

/**
 * How long `npm start` takes without install and build, on an empty folder (with the demo) and on a used one, and what all its processes
 * weigh together. Usage: node tests/bench/boot.ts [runs]. Ends with an error when the median of a figure is over its limit.
 */
const limits = { "cold start, s": 5, "warm start, s": 2, "RSS of all processes, MB": 600 };
type Figure = keyof typeof limits;

const runs = Number(process.argv[2] ?? 3);
const figures: Record<Figure, number[]> = { "cold start, s": [], "warm start, s": [], "RSS of all processes, MB": [] };

for (let count = 0; count < runs; count++) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-boot-"));
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), SEED: "demo", TIDINGS_SKIP_BUILD: "1" };
  await measure("cold start, s", env);
  await measure("warm start, s", env);
  fs.rmSync(dataDir, { recursive: true, force: true });
}

for (const [figure, values] of Object.entries(figures) as [Figure, number[]][]) {
  const median = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const list = values.map((value) => value.toFixed(2)).join(", ");
  console.log(`${figure}: ${median.toFixed(2)} (limit ${limits[figure]}, ratio ${(median / limits[figure]).toFixed(2)}; runs: ${list})`);
  if (!(median <= limits[figure])) process.exitCode = 1;
}

/** One start to the line that names the address, then the weight, then the stop. */
async function measure(figure: "cold start, s" | "warm start, s", env: Record<string, string>): Promise<void> {
  const began = performance.now();
  const running = run(["start"], env);
  while (!running.output().includes("Tidings is running at")) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (performance.now() - began > 60_000) throw new Error(`no start within a minute: ${running.output()}`);
  }
  figures[figure].push((performance.now() - began) / 1_000);
  const stack = await untilReady(env.DATA_DIR!, running);
  await fetch(`${stack.url}/api/config`);
  figures["RSS of all processes, MB"].push(residentMegabytes(processesOf(stack)));
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
