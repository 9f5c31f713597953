import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const read = (name: string): string => readFileSync(path.join(import.meta.dirname, "..", name), "utf8");
const documented = new Set([...read("docs/environment.md").matchAll(/^\| `.*?\|/gm)].flatMap(([cell]) => cell.match(/\b[A-Z][A-Z_]+\b/g)));

test.each([".env.example", "deploy/.env.example"])("docs/environment.md has every variable of %s", (file) => {
  const variables = [...read(file).matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name!);
  expect(variables.length).toBeGreaterThan(20);
  expect(variables.filter((name) => !documented.has(name))).toEqual([]);
});
