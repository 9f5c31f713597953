/**
 * What a picture for a link costs: the processor time of the first one of a process, with its start, and of each after it, in the Deno that runs
 * functions here. Held against packing as many pixels as a picture has, in turns. Hosted allows 2 s a request. Run: node tests/bench/pictures.ts.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { functionFlags } from "../../supabase/local/engine/function-flags.ts";
import { median, Report } from "./report.ts";

interface Taken {
  first: number;
  warm: number[];
  reference: number[];
  bytes: number;
}

const root = path.resolve(import.meta.dirname, "../..");
const deno = path.join(root, fs.globSync("node_modules/@deno/*/deno", { cwd: root })[0] ?? "node_modules/.bin/deno");
const args = ["run", ...functionFlags, "--config", "edge-functions/deno.json", "tests/bench/pictures/draw.ts"];
const runs = Array.from(
  { length: 5 },
  () => JSON.parse(execFileSync(deno, args, { cwd: root, encoding: "utf8", env: { ...process.env, NODE_ENV: "production" } })) as Taken,
);
const all = (pick: (run: Taken) => number | number[]): number => median(runs.flatMap(pick));

const reference = all((run) => run.reference);
const against = "packing 3 MB of pixels";
const report = new Report();
report.compare(
  "CPU of the first picture, with the start",
  { measured: all((run) => run.first), reference, unit: "ms", against },
  "at most",
  26,
);
report.compare("CPU of a picture", { measured: all((run) => run.warm), reference, unit: "ms", against }, "at most", 2);
report.judge(
  "bytes of a picture with a long title",
  all((run) => run.bytes),
  "at most",
  100_000,
  "bytes",
);
report.end();
