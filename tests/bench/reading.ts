/** Speed of public pages through the gateway, interleaved with the plainest program for the same (plain/program.ts). */
import http from "node:http";
import postgres from "postgres";
import { startStack } from "../support/stack.ts";
import { startPlain } from "./plain/start.ts";
import { processesOf } from "../faults/support/processes.ts";
import { processorMs } from "./plain/processor.ts";
import { fill, longPost, subdomain } from "./reading/content.ts";
import { load, type Result, type Target } from "./reading/load.ts";
import { inPairs, median, Report } from "./report.ts";

const limits = {
  /** Share of the plain program's rate; 0.82 and 0.79 on an idle machine. Headers, a log line and the gateway cost the rest. */
  share: 0.75,
  /** Only the version is queried, so nearly the plain program's rate with a full response; 1.1 and 0.93 on an idle machine. */
  notModified: 0.9,
  /** Multiple of the plain program's; 1.07 and 0.87 on an idle machine. It varies by a third between runs. */
  p99: 1.4,
};
const rounds = Number(process.argv[2] ?? 7);
const roundMs = 700;

const stack = await startStack();
const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
await fill(sql);
await sql.end();
const plain = await startPlain(stack);

const ours = (address: string): Target => ({
  port: stack.ports.gateway,
  host: `${subdomain}.localhost:${stack.ports.gateway}`,
  path: address,
});
const theirs = (address: string): Target => ({ port: plain.port, host: "plain", path: `/reading/${subdomain}${address}` });
const pairs = {
  "HTML of a 25 KB post": [ours(`/releases/${longPost}`), theirs(`/${longPost}`)],
  "JSON of 15 posts": [ours("/releases.json?limit=15"), theirs("/releases.json")],
} as const;

interface Slice extends Result {
  work: number;
}
type Of = "rate" | "p50" | "p99" | "work";
const found = new Map<string, Slice[]>();
const all = (name: string, of: Of): number[] => found.get(name)!.map((slice) => slice[of]);

async function measure(target: Target): Promise<Slice> {
  const pids = [...processesOf(stack), ...plain.pids]; // one of the two is idle
  const before = processorMs(pids);
  const result = await load(target, { ms: roundMs });
  const answers = Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
  return { ...result, work: (processorMs(pids) - before) / answers };
}

try {
  const targets: [string, Target][] = [];
  for (const [name, [our, their]] of Object.entries(pairs)) {
    const again = { ...our, headers: { "if-none-match": await etagOf(our) } };
    targets.push([name, our], [`${name}, plain program`, their], [`${name}, 304`, again]);
  }
  for (const [, target] of targets) await load(target, { ms: 4_000 });
  // Interleaved, so that other load affects all alike.
  for (let round = 0; round < rounds; round++)
    for (const [name, target] of targets) found.set(name, [...(found.get(name) ?? []), await measure(target)]);
} finally {
  plain.stop();
  await stack.stop();
}

const report = new Report();
for (const name of Object.keys(pairs)) {
  const against = (of: Of, measured = name) =>
    inPairs(all(measured, of), all(`${name}, plain program`, of), of === "rate" ? "/s" : "ms", "plain program");
  report.tellRatio(`${name}: processor time of an answer`, against("work"));
  report.tellRatio(`${name}: processor time of a 304`, against("work", `${name}, 304`));
  report.compare(`${name}: answers`, against("rate"), "at least", limits.share);
  report.compare(`${name}: 304s`, against("rate", `${name}, 304`), "at least", limits.notModified);
  report.compare(`${name}: p99`, against("p99"), "at most", limits.p99);
}
console.table(
  [...found].map(([name, results]) => ({
    what: name,
    "a second": Math.round(median(all(name, "rate"))),
    "p50 ms": median(all(name, "p50")).toFixed(2),
    "p99 ms": median(all(name, "p99")).toFixed(2),
    "work ms": median(all(name, "work")).toFixed(2),
    statuses: [...new Set(results.flatMap(({ statuses }) => Object.keys(statuses)))].join(" "),
  })),
);
report.end();

async function etagOf({ port, host, path: address }: Target): Promise<string> {
  return await new Promise((resolve, reject) => {
    http
      .get({ host: "127.0.0.1", port, path: address, headers: { host } }, (answer) => resolve(String(answer.resume().headers.etag)))
      .on("error", reject);
  });
}
