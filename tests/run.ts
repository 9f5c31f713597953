import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ensureCaddy } from "./support/caddy.ts";
import { ensureChromium } from "./support/chromium.ts";

/**
 * The one test command: static checks, builds, Vitest, Playwright; then the sum over all runners. `npm test -- --only vitest` runs one part:
 * check, vitest, faults, e2e, or front-door, which is every e2e test through deploy/Caddyfile with https.
 */
interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const reports = mkdtempSync(join(tmpdir(), "tidings-tests-"));
const only = process.argv.includes("--only") ? process.argv[process.argv.indexOf("--only") + 1] : undefined;
const wanted = (part: string) => only === undefined || only === part;
const total: Count = { passed: 0, failed: 0, skipped: 0 };

interface Part {
  title: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** Stands before every line of a part that runs beside another. */
  beside?: string;
}

async function run({ title, command, args, env = {}, beside }: Part): Promise<boolean> {
  console.log(`\n── ${title}`);
  const started = performance.now();
  const output = beside ? "pipe" : "inherit";
  const child = spawn(command, args, { stdio: [beside ? "ignore" : "inherit", output, output], env: { ...process.env, ...env } });
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input }).on("line", (line) => console.log(`${beside} │ ${line}`));
  }
  const ok = await new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
  console.log(`── ${title}: ${ok ? "ok" : "FAILED"} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return ok;
}

/** A step that counts as one test: it passed or it did not. */
async function step(title: string, command: string, args: string[]): Promise<boolean> {
  const ok = await run({ title, command, args });
  add({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });
  return ok;
}

function add(count: Count): void {
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
}

function readReport(name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(reports, name), "utf8"));
  } catch {
    return undefined;
  }
}

/** A runner that died before its report counts as one failure, so that it can never look green. */
function addVitest(ok: boolean, name: string): void {
  const report = readReport(name) as
    { numPassedTests: number; numFailedTests: number; numPendingTests: number; numFailedTestSuites: number } | undefined;
  if (!report) return add({ passed: 0, failed: 1, skipped: 0 });
  const failed = report.numFailedTests;
  add({ passed: report.numPassedTests, failed: ok ? failed : Math.max(1, failed), skipped: report.numPendingTests });
}

function addPlaywright(ok: boolean, name: string): void {
  const report = readReport(name) as { stats: { expected: number; unexpected: number; flaky: number; skipped: number } } | undefined;
  if (!report) return add({ passed: 0, failed: 1, skipped: 0 });
  const { expected, unexpected, flaky, skipped } = report.stats;
  if (flaky > 0) console.log(`${flaky} passed only at the second look: see above`);
  add({ passed: expected + flaky, failed: unexpected || (ok ? 0 : 1), skipped });
}

async function vitest(title: string, report: string, projects: string[], beside?: string): Promise<void> {
  const args = ["vitest", "run", ...projects.flatMap((name) => ["--project", name])];
  args.push("--reporter=default", "--reporter=./tests/support/second-looks.ts");
  args.push("--reporter=json", `--outputFile.json=${join(reports, report)}`);
  addVitest(await run({ title, command: "npx", args, beside }), report);
}

async function e2e(title: string, report: string, files: string[] = [], env: Record<string, string> = {}): Promise<void> {
  const found = { CHROMIUM_PATH: ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, report), ...env };
  addPlaywright(await run({ title, command: "npx", args: ["playwright", "test", ...files, "--reporter=list,json"], env: found }), report);
}

/** What https, hosts, cookies and other sites decide: these go through the front door at every run (WebSockets: tests/faults/front-door.test.ts). */
const throughFrontDoor = ["main-journey", "tenants", "session-expiry", "widget.test"];

async function frontDoor(files: string[]): Promise<void> {
  ensureCaddy();
  await e2e("e2e through the front door", "front-door.json", files, { E2E_FRONT_DOOR: "caddy" });
}

const built = await step("build: web and widget", "npm", ["run", "--silent", "build"]);
if (wanted("check")) await step("check: format, lint, types, sizes", "npm", ["run", "--silent", "check"]);
if (built && wanted("vitest")) {
  // side by side: they share nothing, and one of them alone leaves cores idle
  await Promise.all([
    vitest("units: beside their code, of web and widget too", "units.json", ["units", "web", "widget"], "units"),
    vitest("on a running stack: database, api", "stack.json", ["database", "api"], "stack"),
  ]);
}
if (built && wanted("faults")) await vitest("faults", "faults.json", ["faults"]);
if (built && wanted("e2e")) {
  await e2e("e2e in Chromium", "e2e.json");
  await frontDoor(throughFrontDoor);
}
if (built && only === "front-door") await frontDoor([]);

rmSync(reports, { recursive: true, force: true });
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ""}`);
process.exitCode = total.failed > 0 ? 1 : 0;
