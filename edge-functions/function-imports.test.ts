import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const statement = /^(?:import|export)\s(?!type\b)(?:[^"';]*?\sfrom\s)?"([^"]+)"/gm;

/** The packages that a program loads when it starts, by way of all its own modules. */
function packagesOf(entry: string): string[] {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name] of readFileSync(file, "utf8").matchAll(statement)) {
      if (name!.startsWith("#contract/")) visit(path.join(root, "contract", name!.slice("#contract/".length)));
      else if (name!.startsWith(".")) visit(path.resolve(path.dirname(file), name!));
      else packages.add(name!);
    }
  };
  const file = path.join(root, entry);
  if (!existsSync(file)) throw new Error(`${entry} is not there`);
  visit(file);
  return [...packages].sort();
}

/** Hosted starts a worker for few requests and counts its CPU: whatever is loaded and not needed is paid again and again (tests/bench/starts.ts). */
test.each([
  ["edge-functions/presence/index.ts", ["@supabase/postgrest-js", "@supabase/realtime-js", "jose", "zod"]],
  ["edge-functions/releases/index.tsx", ["postgres", "react-dom/server"]],
  ["edge-functions/og/index.ts", ["@supabase/postgrest-js", "@supabase/ssr", "@supabase/supabase-js", "zod"]],
])("%s loads %j and nothing else", (entry, packages) => {
  expect(packagesOf(entry)).toEqual(packages);
});

test("edge-functions/api starts without what the first call that needs it loads: a driver for the database, a Markdown parser", () => {
  const packages = packagesOf("edge-functions/api/index.ts").join(" ");
  expect(packages).not.toMatch(/\bpostgres\b|mdast|micromark|highlight/);
});
