import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readSource } from "#importers/read-source.ts";
import type { PreparedPost } from "#importers/entry.ts";
import type { Block } from "#contract/blocks/schema.ts";

/**
 * Imports files that other projects publish in their packages, and compares the preview with counts made without our importers (imports.tsv). Each
 * package manager checks the integrity of what it fetches. A count may differ if the preview says so (column `says`).
 */
export async function importRealFiles(cache: string): Promise<boolean | string> {
  const folder = path.join(cache, "imports");
  const rows = readRows();
  const specs = new Map(Object.keys(fetchers).map((registry) => [registry, new Set<string>()]));
  for (const { registry, spec } of rows) specs.get(registry)!.add(spec);
  const folders = new Map<string, string>();
  for (const [registry, wanted] of specs) {
    const { program, fetch } = fetchers[registry]!;
    if (spawnSync(program, ["--help"]).error) console.log(`  ${program} is missing, so packages of ${registry} are skipped`);
    else for (const [spec, at] of fetch([...wanted], path.join(folder, registry))) folders.set(`${registry}:${spec}`, at);
  }
  let checked = 0;
  const problems: string[] = [];
  for (const row of rows) {
    const at = folders.get(`${row.registry}:${row.spec}`);
    if (at === undefined) continue;
    checked++;
    problems.push(...(await problemsOf(row, readFileSync(path.join(at, row.path)))).map((one) => `${row.spec} ${row.path}: ${one}`));
  }
  for (const problem of problems) console.log(`✗ ${problem}`);
  console.log(`${problems.length === 0 ? "✓" : "✗"} ${checked} of ${rows.length} files from ${folders.size} packages`);
  if (checked < leastFiles) return `Only ${checked} files could be downloaded.`;
  return problems.length === 0;
}

const leastFiles = 60;
const counted = ["posts", "dated", "first", "last", "tags", "code", "images", "tables", "nested", "links"] as const;
type Counts = Record<(typeof counted)[number], string>;

interface Row extends Counts {
  registry: string;
  spec: string;
  path: string;
  title: string;
  says: string;
}

function readRows(): Row[] {
  const [head, ...lines] = readFileSync(path.join(import.meta.dirname, "imports.tsv"), "utf8")
    .trim()
    .split("\n");
  const names = head!.split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    const row = Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])) as unknown as Row & { package: string };
    const [registry = "", spec = ""] = row.package.split(/:(.*)/s);
    return { ...row, registry, spec };
  });
}

async function problemsOf(row: Row, content: Buffer): Promise<string[]> {
  const posts: PreparedPost[] = [];
  const said: string[] = [];
  const file = { name: path.basename(row.path), content: new Blob([new Uint8Array(content)]) };
  await readSource({ files: [file], workspace: "", now: "2026-01-01T00:00:00Z" }, (news) => {
    if (news.kind === "posts") posts.push(...news.posts);
    if (news.kind === "facts") said.push(...news.notes, ...news.leftOut);
    if (news.kind === "problem") said.push(news.problem);
  });
  said.push(...posts.flatMap(({ losses }) => losses));
  const found = countsOf(posts);
  const wrong = counted.filter((name) => row[name] !== "" && row[name] !== found[name]);
  const isSaid = row.says !== "" && said.some((sentence) => sentence.includes(row.says));
  return [
    ...(isSaid ? [] : wrong.map((name) => `${name} is ${found[name]}, not ${row[name]}`)),
    ...(row.says !== "" && !isSaid ? [`the preview doesn't say “${row.says}”`] : []),
    ...(posts.some(({ post }) => plain(post.title).includes(plain(row.title))) ? [] : [`no post is called “${row.title}”`]),
    ...posts.flatMap(({ problem }) => problem ?? []),
  ];
}

const plain = (text: string): string => text.replace(/\s+/g, " ").trim();

function countsOf(posts: readonly PreparedPost[]): Counts {
  const dates = posts.flatMap(({ post }) => post.published_at?.slice(0, 10) ?? []).sort();
  const blocks = posts.flatMap(({ post }) => post.blocks as Block[]);
  const ofType = (type: Block["type"]): Block[] => blocks.filter((block) => block.type === type);
  const counts = {
    ...{ posts: posts.length, dated: dates.length, first: dates[0] ?? "", last: dates.at(-1) ?? "" },
    tags: new Set(posts.flatMap(({ post }) => post.tags ?? [])).size,
    ...{ code: ofType("code").length, images: ofType("image").length, tables: ofType("table").length },
    nested: ofType("list").reduce((sum, { data }) => sum + nestedIn((data as Nested).items), 0),
    links: JSON.stringify(blocks).match(/<a href=\\"https?:/g)?.length ?? 0,
  };
  return Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, String(value)])) as Counts;
}

interface Nested {
  items: Nested[];
}
const nestedIn = (items: readonly Nested[]): number =>
  items.reduce((sum, { items: inner }) => sum + (inner.length > 0 ? 1 : 0) + nestedIn(inner), 0);

interface Fetcher {
  program: string;
  /** The folder of each package that could be fetched. */
  fetch: (specs: string[], folder: string) => [string, string][];
}

const run = (folder: string, command: string, ...args: string[]): string | null => {
  const { status, stdout } = spawnSync(command, args, { cwd: folder, encoding: "utf8", maxBuffer: 50_000_000 });
  if (status !== 0) console.log(`  ${command} ${args.join(" ").slice(0, 80)} failed`);
  return status === 0 ? stdout : null;
};

/** Unpacks the archive that `download` leaves in the package's folder. */
const eachPacked =
  (download: (spec: string) => [string, ...string[]]): Fetcher["fetch"] =>
  (specs, folder) =>
    specs.flatMap((spec): [string, string][] => {
      const at = path.join(folder, spec.replace(/[^\w.-]+/g, "-"));
      const content = path.join(at, "content");
      if (existsSync(content)) return [[spec, content]];
      mkdirSync(at, { recursive: true });
      if (run(at, ...download(spec)) === null) return [];
      const archive = readdirSync(at).find((name) => /\.t(?:ar\.)?gz$/.test(name));
      mkdirSync(content);
      return archive !== undefined && run(at, "tar", "xzf", archive, "-C", "content", "--strip-components=1") !== null
        ? [[spec, content]]
        : [];
    });

const fetchers: Record<string, Fetcher> = {
  npm: { program: "npm", fetch: eachPacked((spec) => ["npm", "pack", "--silent", spec]) },
  pypi: { program: "pip", fetch: eachPacked((spec) => ["pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", spec]) },
  crates: {
    program: "cargo",
    fetch(specs, folder) {
      mkdirSync(path.join(folder, "src"), { recursive: true });
      writeFileSync(path.join(folder, "src/lib.rs"), "");
      const lines = specs.map((spec) => spec.replace(/^(.*)@(.*)$/, '$1 = { version = "=$2", default-features = false }'));
      const manifest = `[package]\nname = "files"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n${lines.join("\n")}\n`;
      writeFileSync(path.join(folder, "Cargo.toml"), manifest);
      if (run(folder, "cargo", "vendor", "--versioned-dirs", "--quiet") === null) return [];
      return specs.map((spec) => [spec, path.join(folder, "vendor", spec.replace("@", "-"))]);
    },
  },
  go: {
    program: "go",
    fetch(specs, folder) {
      mkdirSync(folder, { recursive: true });
      const answer = run(folder, "go", "mod", "download", "-json", ...specs) ?? "";
      const modules = [...answer.matchAll(/^\{.*?^\}/gms)].map(
        ([json]) => JSON.parse(json) as { Path: string; Version: string; Dir: string },
      );
      return modules.map(({ Path, Version, Dir }) => [`${Path}@${Version}`, Dir]);
    },
  },
};
