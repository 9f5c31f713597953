import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const json = <Shape>(file: string) => JSON.parse(readFileSync(path.join(root, file), "utf8")) as Shape;
const { imports } = json<{ imports: Record<string, string> }>("supabase/local/deno.json");
const { dependencies } = json<{ dependencies: Record<string, string> }>("package.json");

const packages = Object.entries(imports).filter(([, target]) => target.startsWith("npm:"));

test.each(packages)("the embedded stack runs with the installed runtime package %s", (_, target) => {
  const [, name = "", version] = /^npm:((?:@[^/]+\/)?[^@/]+)@([^/]+)/.exec(target) ?? [];
  expect(dependencies[name]).toBe(version);
});
