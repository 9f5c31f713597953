import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";

export interface Count {
  passed: number;
  failed: number;
  skipped: number;
  failures?: string[];
}

export interface Command {
  name: string;
  program: string;
  args: string[];
  env?: Record<string, string>;
  /** The os.constants.priority of it and its children; with a low one it uses only idle cores. */
  priority?: number;
}

const root = path.resolve(import.meta.dirname, "../..");
const reports = mkdtempSync(path.join(tmpdir(), "tidings-tests-"));
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill();
  rmSync(reports, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));

const installed = (name: string): string => path.join(root, "node_modules/.bin", name);

async function run({ name, program, args, env = {}, priority }: Command): Promise<boolean> {
  const PATH = `${path.dirname(installed("node"))}:${process.env.PATH}`; // the lock file's Node
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, PATH, ...env } });
  if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority);
  running.add(child);
  child.once("close", () => running.delete(child));
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on("line", (line) => console.log(`${name} │ ${line}`));
  }
  return await new Promise<boolean>((resolve) => {
    child.once("error", (error) => {
      console.log(`${name} │ ${error.message}`);
      resolve(false);
    });
    child.once("close", (code) => resolve(code === 0));
  });
}

export async function countStep(command: Command): Promise<Count> {
  const ok = await run(command);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, failures: ok ? [] : [command.name] };
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

/** A file's failed tests with the first line of each error, or the file itself if it failed to load. */
function failuresOf({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(root, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return status === "failed" ? [`${file}: ${firstLine(message)}`] : [];
    return failed.map(({ fullName, failureMessages }) => `${file} > ${fullName}: ${firstLine(failureMessages[0])}`);
  });
}

const firstLine = (text = ""): string => text.split("\n", 1)[0]!.slice(0, 300);

export async function countVitest(name: string, args: string[], priority?: number): Promise<Count> {
  const file = path.join(reports, `${name}.json`);
  const unhandled = path.join(reports, `${name}-unhandled.json`);
  const reporters = [
    "--reporter=default",
    "--reporter=./tests/support/unhandled-errors.ts",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ];
  const ok = await run({
    name,
    program: installed("vitest"),
    args: ["run", ...args, ...reporters],
    env: { UNHANDLED_ERRORS: unhandled },
    priority,
  });
  const report = readReport(file) as VitestReport | undefined;
  if (!report) return died(name);
  const failed = report.numFailedTests;
  return {
    passed: report.numPassedTests,
    failed: ok ? failed : Math.max(1, failed),
    skipped: report.numPendingTests,
    failures: [...failuresOf(report), ...((readReport(unhandled) as string[] | undefined) ?? [])],
  };
}

export async function countPlaywright(name: string, args: string[], env: Record<string, string> = {}): Promise<Count> {
  const file = path.join(reports, `${name}.json`);
  const ok = await run({
    name,
    program: installed("playwright"),
    args: ["test", ...args, "--reporter=list,json"],
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
  });
  const report = readReport(file) as PlaywrightReport | undefined;
  if (!report) return died(name);
  const { expected, unexpected, skipped } = report.stats;
  return { passed: expected, failed: unexpected || (ok ? 0 : 1), skipped, failures: report.suites.flatMap(unexpectedOf) };
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: { title: string; file: string; tests: { status: string; results: { errors: PlaywrightError[] }[] }[] }[];
}
interface PlaywrightError {
  message?: string;
  location?: { file: string; line: number };
}
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; skipped: number };
  suites: PlaywrightSuite[];
}

function unexpectedOf({ suites = [], specs }: PlaywrightSuite): string[] {
  const failed = specs.filter(({ tests }) => tests.some(({ status }) => status === "unexpected"));
  return [
    ...failed.map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
      return [`${file} > ${title}`, ...errors.map(reasonOf)].join("\n    ");
    }),
    ...suites.flatMap(unexpectedOf),
  ];
}

const reasonOf = ({ message = "", location }: PlaywrightError): string =>
  `${location ? `${path.relative(root, location.file)}:${location.line} ` : ""}${inOneLine(message)}`;

const inOneLine = (text: string): string => stripVTControlCharacters(text).replaceAll(/\s+/g, " ").slice(0, 300);

const died = (name: string): Count => ({ passed: 0, failed: 1, skipped: 0, failures: [`${name}: ended without a report`] });

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
