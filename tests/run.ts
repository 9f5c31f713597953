import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { availableParallelism, constants } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureCaddy } from "./support/caddy.ts";
import { ensureChromium } from "./support/chromium.ts";
import { type Count, countPlaywright, countStep, countVitest } from "./support/parts.ts";
import { runSideBySide } from "./support/side-by-side.ts";
import { startStack } from "./support/stack.ts";
import { makeTemplateFolder } from "./support/template.ts";

/** The test command: builds, runs the parts below side by side, then prints the time and count of each. */

const usage = `npm test                    checks, units, components, database, API and one journey in Chromium per capability
npm run test:release        the same with every journey, https, the front door, faults, deeper fuzzing, then the peers
npm test -- --only <part>   one part, or those of one kind: check, vitest, faults, e2e, front-door
npm test -- --changed       what belongs to the files that were changed since the last commit`;

interface Part {
  name: string;
  kind: "check" | "vitest" | "faults" | "e2e" | "front-door";
  cores: number;
  run(): Promise<Count>;
}

const check = (name: string): Part => ({
  name,
  kind: "check",
  cores: 0.5,
  run: () => countStep({ name, program: "npm", args: ["run", "--silent", name], priority: constants.priority.PRIORITY_LOW }),
});

/** One worker by default, as other parts run beside it. */
const vitest = (
  name: string,
  projects: string[],
  { kind = "vitest", cores = 1, workers = 1, share = "1/1", priority }: Partial<Part> & VitestOptions = {},
): Part => ({
  name,
  kind,
  cores,
  run: () =>
    countVitest(name, [`--maxWorkers=${workers}`, `--shard=${share}`, ...projects.flatMap((project) => ["--project", project])], priority),
});
interface VitestOptions {
  workers?: number;
  share?: string;
  priority?: number;
}

const e2e = (name: string, kind: Part["kind"], cores: number, args: string[] = [], env: Record<string, string> = {}): Part => ({
  name,
  kind,
  cores,
  run: () => countPlaywright(name, args, env),
});

const caddy = { E2E_FRONT_DOOR: "caddy" };

/** Start order: parts that often wait run beside parts that compute; short ones come last. */
const parts: Part[] = [
  e2e("journeys", "e2e", 1.5, ["--grep", "@journey"]),
  vitest("api-1", ["api"], { share: "1/2" }), // in one piece it would run last and alone
  vitest("api-2", ["api"], { share: "2/2" }),
  ...[
    "check:types",
    "check:deno",
    "check:format",
    "check:lint",
    "check:sql",
    "check:size",
    "check:commits",
    "scan:secrets",
    "licenses",
  ].map(check),
  vitest("units", ["units", "widget"], { cores: 0.5, priority: constants.priority.PRIORITY_BELOW_NORMAL }), // uses idle cores
  vitest("database", ["database"]),
  vitest("web", ["web"], { workers: 2 }),
];
const releaseParts: Part[] = [
  check("check:deno-hosted"), // repeats check:deno with the hosted runtime's older compiler
  vitest("faults", ["faults"], { kind: "faults", cores: 1.5 }), // timeouts need a core
  e2e("e2e", "e2e", 1.5, ["--grep-invert", "@journey"]),
  e2e("https", "e2e", 1, ["--grep", "@https", "--workers=2"], caddy),
  e2e("front-door", "front-door", 2, [], caddy),
];

function wanted(): Part[] {
  const { only, changed: onlyChanged, release, help } = asked();
  if (help) leave(usage, 0);
  if (onlyChanged) return changed();
  const all = [...releaseParts, ...parts];
  if (only === undefined) return release ? all : parts;
  const chosen = all.filter(({ name, kind }) => [name, name.replace(/-\d$/, ""), kind].includes(only));
  if (chosen.length === 0) leave(`No part of the tests is called ${only}. There are: ${all.map(({ name }) => name).join(", ")}.`, 2);
  return chosen;
}

function asked() {
  try {
    const flag = { type: "boolean" } as const;
    return parseArgs({ options: { only: { type: "string" }, changed: flag, release: flag, help: { ...flag, short: "h" } } }).values;
  } catch (error) {
    return leave(`${(error as Error).message}\n\n${usage}`, 2);
  }
}

function leave(words: string, code: number): never {
  console.log(words);
  process.exit(code);
}

/** Tests that import a changed file (by Vitest's own graph), and changed e2e tests, which import nothing of the product. */
function changed(): Part[] {
  const git = (...args: string[]) => spawnSync("git", args, { encoding: "utf8" }).stdout.split("\n");
  const files = [...git("diff", "--name-only", "--diff-filter=d", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
  const journeys = files.filter((file) => /^tests\/e2e\/[^/]+\.test\.ts$/.test(file));
  const related = ["units", "web", "widget", "database", "api", "faults"].flatMap((project) => ["--project", project]);
  return [
    check("check:lint"),
    check("check:types"),
    { name: "changed", kind: "vitest", cores: 1, run: () => countVitest("changed", ["--changed", "--passWithNoTests", ...related]) },
    ...(journeys.length > 0 ? [e2e("e2e", "e2e", 2, journeys)] : []),
  ];
}

const total: Count = { passed: 0, failed: 0, skipped: 0 };
const times: string[] = [];
const failures: string[] = [];

async function run({ name, run: start }: Pick<Part, "name" | "run">): Promise<boolean> {
  const began = performance.now();
  console.log(`── ${name} begins`);
  const { passed, failed, skipped, failures: named = [] } = await start();
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const line = `${name.padEnd(18)} ${seconds.padStart(7)} s  ${said({ passed, failed, skipped })}`;
  console.log(`── ${line}`);
  times.push(line);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  failures.push(...named.map((failure) => `failed: ${name} │ ${failure}`));
  return failed === 0;
}

function said({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
}

async function startedOnce(): Promise<Count> {
  try {
    await (await startStack({ dataDir: template })).stop();
    rmSync(join(template, "logs"), { recursive: true });
    return { passed: 1, failed: 0, skipped: 0 };
  } catch (error) {
    console.log(`template │ ${(error as Error).message}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const chosen = wanted();
const began = performance.now();
if (chosen.some(({ kind }) => kind === "e2e" || kind === "front-door")) ensureChromium();
if (chosen.some(({ name, kind }) => name === "https" || kind === "front-door" || kind === "faults")) ensureCaddy();
const built = await run({ name: "build", run: () => countStep({ name: "build", program: "npm", args: ["run", "--silent", "build"] }) });
const template = makeTemplateFolder();
process.once("exit", () => rmSync(template, { recursive: true, force: true }));
const needsStack = chosen.some(({ kind, name }) => kind !== "check" && name !== "web" && name !== "units");
if (built && needsStack && (await run({ name: "template", run: startedOnce }))) process.env.TIDINGS_TEMPLATE = template;
const runnable = built ? chosen : chosen.filter(({ kind }) => kind === "check");
const jobs = runnable.map((part) => ({ cores: part.cores, run: async () => void (await run(part)) }));
// one more than the cores: parts wait for clocks and disks, and the checks use what is left
await runSideBySide(jobs, availableParallelism() + 1);

console.log(`\n${times.join("\n")}\n${"all".padEnd(18)} ${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s`);
if (failures.length > 0) console.log(`\n${failures.join("\n")}`);
console.log(`\n${said(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;
