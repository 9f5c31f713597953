import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { functionFlags } from "../../supabase/local/engine/function-flags.ts";
import { environmentOf } from "../api/support/second-function.ts";
import { freePort, type RunningStack, startStack } from "../support/stack.ts";
import { signToken } from "../support/token.ts";
import { processorMs } from "./plain/processor.ts";
import { inPairs, Report } from "./report.ts";

/** CPU seconds of a function's process until its first response, which hosted Supabase bills; interleaved with an empty program. */
/** Multiples of the empty program's time. Where that takes 25 ms: 0.4 s of CPU for api, 0.15 s for releases, 0.12 s for presence. */
const limits: Record<string, number> = { api: 12, releases: 6, presence: 4.8 };
const root = path.resolve(import.meta.dirname, "../..");
/** Not the package's launcher, whose CPU would count too. */
const deno = path.join(root, fs.globSync("node_modules/@deno/*/deno", { cwd: root })[0] ?? "node_modules/.bin/deno");
const runs = Number(process.argv[2] ?? 9);

const stack = await startStack({ seed: "demo" });
await shown(`${stack.url}/releases?workspace=demo`);
const token = signToken(stack, { sub: randomUUID() });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-starts-"));
const empty = path.join(folder, "empty.ts");
fs.writeFileSync(empty, 'Deno.serve(() => new Response("hello"));\n');

const programs: Record<string, { file: string; address: string }> = {
  empty: { file: empty, address: "/" },
  api: { file: "edge-functions/api/index.ts", address: "/api/config" },
  releases: { file: "edge-functions/releases/index.tsx", address: "/releases" },
  presence: { file: "edge-functions/presence/index.ts", address: `/ws/presence/${randomUUID()}/${randomUUID()}` },
};
const taken: Record<string, number[]> = {};
for (let count = 0; count <= runs; count++) {
  for (const [name, program] of Object.entries(programs)) {
    const ms = await processorMsOf(stack, program);
    if (count > 0) (taken[name] ??= []).push(ms);
  }
}
await stack.stop();
fs.rmSync(folder, { recursive: true, force: true });

const report = new Report();
for (const [name, limit] of Object.entries(limits)) {
  report.compare(`CPU of a start, ${name}`, inPairs(taken[name]!, taken.empty!, "ms", "empty program"), "at most", limit);
}
report.end();

async function processorMsOf(on: RunningStack, { file, address }: { file: string; address: string }): Promise<number> {
  const port = await freePort();
  const child = spawn(deno, ["run", ...functionFlags, "--config", "edge-functions/deno.json", file], {
    cwd: root,
    stdio: "ignore",
    env: { ...aroundFunctions(on), DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}` },
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await answered(child, `http://127.0.0.1:${port}${address}`, new URL(on.publicUrl).host);
  const ms = processorMs([child.pid!]);
  child.kill();
  await ended;
  return ms;
}

async function shown(page: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(100)) if ((await fetch(page)).status === 200) return;
  throw new Error(`${page} is not shown`);
}

/** The environment of functions, as on hosted Supabase. */
function aroundFunctions(on: RunningStack): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DENO_DIR: process.env.DENO_DIR,
    NODE_ENV: "production",
    ...environmentOf(on),
  };
}

async function answered(child: ChildProcess, address: string, host: string): Promise<void> {
  for (let attempt = 0; attempt < 400 && child.exitCode === null; attempt++, await wait(10)) {
    const answer = await fetch(address, { headers: { "x-forwarded-host": `demo.${host}`, authorization: `Bearer ${token}` } }).catch(
      () => null,
    );
    if (!answer) continue;
    await answer.arrayBuffer();
    if (answer.status >= 500) throw new Error(`${address} answers ${answer.status}`);
    return;
  }
  throw new Error(`${address} does not answer`);
}
