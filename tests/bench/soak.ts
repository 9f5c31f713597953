import fs from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { processesOf } from "../faults/support/processes.ts";
import { freePort, type StackFile, startStack } from "../support/stack.ts";
import { holdSockets } from "./api/presence.ts";
import { makeBenchPlace } from "./api/people.ts";
import { median, Report } from "./report.ts";
import { Load } from "./soak/load.ts";

/**
 * Reading, saving and open sockets for some minutes at half of what this machine can do: nothing may fail, and after the first two minutes
 * neither memory nor connections may grow. Usage: node tests/bench/soak.ts [minutes=10]
 */
const minutes = Number(process.argv[2] ?? 10);
const settledAfter = Math.min(2, minutes / 2); // minutes
const sampleMs = 5_000;
const socketsAtMost = 500; // what tests/bench/api.ts holds
const limits = { memoryGrowth: 1.05, connectionGrowth: 0 };

interface Sample {
  minute: number;
  "answers/s": number;
  "p99 ms": number;
  faults: number;
  "memory MB": number;
  connections: number;
  sockets: number;
}

const metricsPort = await freePort();
const stack = await startStack({ env: { RATE_LIMIT_SCALE: "100000", METRICS_PORT: String(metricsPort) } });
const samples: Sample[] = [];
const faults: Record<string, number> = {};
const report = new Report();
try {
  const place = await makeBenchPlace(stack, socketsAtMost / 2, 50);
  const load = new Load(stack, { ...place, ...(await publish(place.workspaceId)) });
  await load.flatOut(20, 2_000); // warm
  const most = await load.flatOut(20, 5_000);
  const sockets = await holdSockets(stack, place, socketsAtMost / 2);
  const began = performance.now();
  const end = began + minutes * 60_000;
  const running = load.paced(most / 2, end);
  while (performance.now() < end) {
    await wait(sampleMs);
    const { answers, faults: found, p99 } = load.look();
    for (const [fault, count] of Object.entries(found)) faults[fault] = (faults[fault] ?? 0) + count;
    const { tidings_database_connections: connections = Number.NaN, tidings_sockets: open = Number.NaN } = await metrics();
    samples.push({
      minute: (performance.now() - began) / 60_000,
      "answers/s": (answers * 1_000) / sampleMs,
      "p99 ms": p99,
      faults: Object.values(found).reduce((sum, count) => sum + count, 0),
      "memory MB": memoryOf(stack),
      connections,
      sockets: open,
    });
  }
  await running;
  sockets.close();
  load.close();
  await wait(2_000);
  const { tidings_sockets: left = Number.NaN } = await metrics();

  console.table(everyMinute());
  const settled = samples.filter(({ minute }) => minute >= settledAfter);
  const share = Math.max(1, Math.floor(settled.length / 4));
  const [early, late] = [settled.slice(0, share), settled.slice(-share)];
  const middle = (of: Sample[], key: keyof Sample) => median(of.map((sample) => sample[key]));
  const floor = (of: Sample[]) => Math.min(...of.map((sample) => sample["memory MB"])); // between two, garbage waits to be collected
  const asked = samples.reduce((sum, sample) => sum + (sample["answers/s"] * sampleMs) / 1_000, 0);
  report.judge(
    `faults in ${asked.toFixed(0)} answers ${JSON.stringify(faults)}`,
    samples.reduce((sum, sample) => sum + sample.faults, 0),
    "at most",
    0,
    "",
  );
  report.judge(`answers at half of ${most.toFixed(0)}/s`, middle(samples, "answers/s"), "at least", (most / 2) * 0.95, "/s");
  report.judge("memory, end against settled", floor(late) / floor(early), "at most", limits.memoryGrowth, "×");
  report.judge(
    "database connections more than when settled",
    middle(late, "connections") - middle(early, "connections"),
    "at most",
    limits.connectionGrowth,
    "",
  );
  report.judge(
    `sockets lost of ${socketsAtMost / 2}`,
    socketsAtMost / 2 - Math.min(...samples.map((sample) => sample.sockets)),
    "at most",
    0,
    "",
  );
  report.judge("sockets left open afterwards", left, "at most", 0, "");
} finally {
  await stack.stop();
}
report.end();

/** Makes the workspace's changelog public with some posts in it. */
async function publish(workspaceId: string): Promise<{ subdomain: string; slugs: string[] }> {
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  const [workspace] = await sql`update public.workspaces set public_changelog_enabled = true where id = ${workspaceId} returning subdomain`;
  const posts = await sql`update public.posts set status = 'published' where workspace_id = ${workspaceId} returning slug`;
  await sql.end();
  return { subdomain: workspace!.subdomain as string, slugs: posts.map(({ slug }) => slug as string) };
}

/** Memory that the stack's processes hold for themselves, in megabytes: what they share, such as Postgres' buffers, fills up and is bounded. */
function memoryOf(of: StackFile): number {
  return processesOf(of).reduce((sum, pid) => sum + anonymousKilobytes(pid), 0) / 1_024;
}

function anonymousKilobytes(pid: number): number {
  try {
    return Number(/^Pss_Anon:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0; // has ended meanwhile
  }
}

async function metrics(): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Object.fromEntries(text.split("\n").map((line) => [line.split(" ")[0]!, Number(line.split(" ").at(-1))]));
}

/** The samples of which each is the last of its half minute. */
function everyMinute(): Record<string, string>[] {
  const chosen = samples.filter(({ minute }, index) => Math.floor(minute * 2) !== Math.floor((samples[index + 1]?.minute ?? Infinity) * 2));
  return chosen.map((sample) =>
    Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, value.toFixed(name === "minute" ? 1 : 0)])),
  );
}
