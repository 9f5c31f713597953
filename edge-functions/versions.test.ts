import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const json = <Shape>(file: string) => JSON.parse(readFileSync(path.join(root, file), "utf8")) as Shape;
const { imports } = json<{ imports: Record<string, string> }>("edge-functions/deno.json");
const { dependencies, devDependencies } = json<Record<"dependencies" | "devDependencies", Record<string, string>>>("package.json");

const packages = [...new Set(Object.values(imports))].flatMap((target) => {
  const [, name, version] = /^npm:\/?((?:@[^/]+\/)?[^@/]+)@([^/]+)\/?$/.exec(target) ?? [];
  return name && version ? [[name, version] as const] : [];
});

test("deno.json names only packages with a version, or our own folders", () => {
  const others = Object.values(imports).filter((target) => !target.startsWith("npm:"));
  expect(others).toEqual(["../contract/"]);
  expect(packages).toHaveLength(new Set(Object.values(imports)).size - others.length);
});

test.each(packages)("the functions run with the installed %s %s", (name, version) => {
  expect(dependencies[name] ?? devDependencies[name]).toBe(version);
  expect(json<{ version: string }>(`node_modules/${name}/package.json`).version).toBe(version);
});
