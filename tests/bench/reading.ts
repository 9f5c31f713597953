/**
 * How fast readers are served through the gateway, side by side with the plainest program for the same on the same Postgres
 * (reading/plain.ts, asked directly). Run: node tests/bench/reading.ts [rounds]. Ends with 1 when a limit is missed.
 */
import { spawn } from "node:child_process";
import http from "node:http";
import path from "node:path";
import postgres from "postgres";
import { functionFlags } from "../../supabase/local/engine/function-flags.ts";
import { freePort, startStack } from "../support/stack.ts";
import { fill, longPost, subdomain } from "./reading/content.ts";
import { load, type Result, type Target } from "./reading/load.ts";
import { Report } from "./report.ts";

const limits = { share: 0.4, htmlRate: 1_500, p99: 10, notModified: 2 };
const root = path.resolve(import.meta.dirname, "../..");
const rounds = Number(process.argv[2] ?? 5);

const stack = await startStack();
const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
await fill(sql);
await sql.end();
const plainPort = await freePort();
const plain = spawn(
  path.join(root, "node_modules/.bin/deno"),
  [
    ...["serve", ...functionFlags, "--config", "edge-functions/deno.json"],
    ...["--host", "127.0.0.1", "--port", String(plainPort), "tests/bench/reading/plain.ts"],
  ],
  { cwd: root, env: { ...process.env, DATABASE_URL: stack.dbUrl }, stdio: ["ignore", "ignore", "inherit"] },
);

const ours = (address: string): Target => ({
  port: stack.ports.gateway,
  host: `${subdomain}.localhost:${stack.ports.gateway}`,
  path: address,
});
const theirs = (address: string): Target => ({ port: plainPort, host: "plain", path: `/${subdomain}${address}` });
const pairs = {
  "HTML of a 25 KB post": [ours(`/releases/${longPost}`), theirs(`/${longPost}`)],
  "JSON of 15 posts": [ours("/releases.json?limit=15"), theirs("/releases.json")],
} as const;

/** Rates and times of one target, slice by slice. */
const found = new Map<string, Result[]>();
const median = (name: string, of: "rate" | "p50" | "p99"): number => {
  const values = (found.get(name) ?? []).map((result) => result[of]).sort((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
};

try {
  await answering(theirs("/releases.json"));
  const targets: [string, Target][] = [];
  for (const [name, [our, their]] of Object.entries(pairs)) {
    const again = { ...our, headers: { "if-none-match": await etagOf(our) } };
    targets.push([name, our], [`${name}, plain program`, their], [`${name}, 304`, again]);
  }
  for (const [, target] of targets) await load(target, { ms: 4_000 }); // warms caches and compilers
  // In turns, so that whatever else this machine does meets all of them alike.
  for (let round = 0; round < rounds; round++)
    for (const [name, target] of targets) found.set(name, [...(found.get(name) ?? []), await load(target, { ms: 500 })]);
} finally {
  plain.kill();
  await stack.stop();
}

const report = new Report();
for (const name of Object.keys(pairs)) {
  const [rate, p99] = [median(name, "rate"), median(name, "p99")];
  const share = rate / median(`${name}, plain program`, "rate");
  report.judge(`${name}: share of the plain program's rate`, share, "at least", limits.share, "");
  report.judge(`${name}: 304s against 200s`, median(`${name}, 304`, "rate") / rate, "at least", limits.notModified, "×");
  report.judge(`${name}: p99`, p99, "at most", limits.p99, "ms");
  if (name.startsWith("HTML")) report.judge(`${name}: answers`, rate, "at least", limits.htmlRate, "/s");
}
console.table(
  [...found].map(([name, results]) => ({
    what: name,
    "a second": Math.round(median(name, "rate")),
    "p50 ms": median(name, "p50").toFixed(2),
    "p99 ms": median(name, "p99").toFixed(2),
    statuses: [...new Set(results.flatMap(({ statuses }) => Object.keys(statuses)))].join(" "),
  })),
);
report.end();

async function answering({ port, path: address }: Target): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    if (
      await fetch(`http://127.0.0.1:${port}${address}`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
  }
  throw new Error("the plain program does not answer");
}

/** fetch may not choose its host. */
async function etagOf({ port, host, path: address }: Target): Promise<string> {
  return await new Promise((resolve, reject) => {
    http
      .get({ host: "127.0.0.1", port, path: address, headers: { host } }, (answer) => resolve(String(answer.resume().headers.etag)))
      .on("error", reject);
  });
}
