// Counts files that only one other file imports, and why each is separate (decision 14). `--list` prints those without a reason.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const areas = ["contract", "importers", "supabase/local", "edge-functions", "web", "widget", "cli", "scripts"];
/** This many files imported from one folder form a list: tools, sources, kinds of blocks, pages. */
const listFrom = 5;

const tracked = execFileSync("git", ["ls-files", ...areas, "tests"], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }).split("\n");
const sources = tracked.filter((path) => /\.(tsx?|m?js)$/.test(path) && !path.endsWith(".d.ts"));
const isTest = (path: string) => path.startsWith("tests/") || /\.test\.|fixtures/.test(path);
const files = sources.filter((path) => !isTest(path));

interface Importers {
  product: Set<string>;
  tests: number;
  lazily: boolean;
}
const importers = new Map<string, Importers>(files.map((path) => [path, { product: new Set(), tests: 0, lazily: false }]));

for (const path of sources) {
  for (const [, how, name] of readFileSync(path, "utf8").matchAll(/(\bfrom|\bimport\(?|new URL\()\s*"([^"\n]+)"/g)) {
    const target = /^#(contract|importers)\//.test(name!) ? name!.slice(1) : name!.startsWith(".") ? join(dirname(path), name!) : "";
    const known = importers.get(target.replace(/\?.*$/, ""));
    if (!known || target === path) continue;
    if (isTest(path)) known.tests += 1;
    else known.product.add(path);
    known.lazily ||= how!.endsWith("(");
  }
}

const single = files.filter((path) => importers.get(path)!.product.size === 1);
const importerOf = (path: string) => [...importers.get(path)!.product][0]!;
const listed = (path: string) =>
  single.filter((other) => importerOf(other) === importerOf(path) && dirname(other) === dirname(path)).length >= listFrom;

const reasons: Record<string, string[]> = { "loaded when it is needed": [], "one of a list": [], "has a test of its own": [], none: [] };
for (const path of single) {
  const { lazily, tests } = importers.get(path)!;
  const reason = lazily ? "loaded when it is needed" : listed(path) ? "one of a list" : tests > 0 ? "has a test of its own" : "none";
  reasons[reason]!.push(path);
}

const share = (count: number) => `${((100 * count) / files.length).toFixed(1)} %`;
console.log(`${files.length} files, ${single.length} with one importer (${share(single.length)})`);
for (const [reason, paths] of Object.entries(reasons)) console.log(`  ${reason}: ${paths.length} (${share(paths.length)})`);
if (process.argv.includes("--list")) {
  for (const path of reasons.none!) console.log(`${readFileSync(path, "utf8").split("\n").length - 1}\t${path} ← ${importerOf(path)}`);
}
