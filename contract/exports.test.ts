import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx", "*.js", "*.mjs", "supabase/schemas/*.sql"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 1 << 24,
});
const product = tracked.split("\n").filter((file) => file !== "" && !/\.test\.|^tests\/|^contract\/database\.ts$/.test(file));
const wordsOf = new Map<string, string[]>();
for (const file of product)
  try {
    wordsOf.set(file, readFileSync(path.join(root, file), "utf8").match(/\w+/g) ?? []);
  } catch {}

/** Entry points called by a runtime, Vite or a route. */
const folders = /^(contract|edge-functions|web|supabase|widget|cli|action)\//;

test("every exported constant and function is used in the product", () => {
  const uses = new Map<string, number>();
  for (const words of wordsOf.values()) for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1);
  const unused: string[] = [];
  for (const file of wordsOf.keys()) {
    if (!folders.test(file)) continue;
    for (const [, name] of readFileSync(path.join(root, file), "utf8").matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm))
      if (uses.get(name!) === 1) unused.push(`${file}: ${name}`);
  }
  expect(unused).toEqual([]);
});
