import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const statement = /^(?:import|export)\s(?!type\b)(?:[^"';]*?\sfrom\s)?"([^"]+)"/gm;

function loadedBy(entry: string): { packages: string[]; modules: ReadonlyMap<string, string> } {
  const packages = new Set<string>();
  const modules = new Map<string, string>();
  const visit = (file: string): void => {
    if (modules.has(file)) return;
    const text = readFileSync(file, "utf8");
    modules.set(file, text);
    for (const [, name] of text.matchAll(statement)) {
      if (name!.startsWith("#contract/")) visit(path.join(root, "contract", name!.slice("#contract/".length)));
      else if (name!.startsWith(".")) visit(path.resolve(path.dirname(file), name!));
      else packages.add(name!);
    }
  };
  const file = path.join(root, entry);
  if (!existsSync(file)) throw new Error(`${entry} is not there`);
  visit(file);
  return { packages: [...packages].sort(), modules };
}

/** Hosted cold starts are frequent and count CPU, so unneeded modules cost (tests/bench/starts.ts). */
test.each([
  ["edge-functions/presence/index.ts", ["@supabase/postgrest-js", "@supabase/realtime-js", "jose", "zod"]],
  ["edge-functions/releases/index.tsx", ["hono", "postgres", "preact-render-to-string"]],
  ["edge-functions/og/index.ts", ["zod"]],
])("%s loads %j and nothing else", (entry, packages) => {
  expect(loadedBy(entry).packages).toEqual(packages);
});

test("edge-functions/api starts without what the first call that needs it loads: a driver for the database, a Markdown parser", () => {
  const packages = loadedBy("edge-functions/api/index.ts").packages.join(" ");
  expect(packages).not.toMatch(/\bpostgres\b|mdast|micromark|highlight/);
});

/** Intl's first use takes a tenth of a cold start, so modules must not use it on load (contract/rules/figure.ts, once.ts). */
test.each([
  "edge-functions/presence/index.ts",
  "edge-functions/releases/index.tsx",
  "edge-functions/og/index.ts",
  "edge-functions/api/index.ts",
])("%s asks nothing of Intl when it starts", (entry) => {
  const { modules } = loadedBy(entry);
  const asks = [...modules].flatMap(([file, text]) =>
    text.split("\n").flatMap((line) => {
      const isOwn = /^(?:export )?const [\w: .]+ = new Intl\./.test(line);
      return isOwn || /\.toLocaleString\("en/.test(line) ? [`${path.relative(root, file)}: ${line.trim()}`] : [];
    }),
  );
  expect(asks).toEqual([]);
  expect(modules.size).toBeGreaterThan(20);
});
