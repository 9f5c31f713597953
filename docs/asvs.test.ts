import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const table = readFileSync(path.join(root, "docs/asvs.md"), "utf8");
const rows = table.split("\n").filter((line) => /^\| V\d/.test(line));

test("every section of docs/asvs.md names tests that exist", () => {
  for (const row of rows) {
    const names = [...row.matchAll(/`([\w/.-]+\.test\.tsx?)`/g)].map(([, name]) => name!);
    expect([row, names.length > 0]).toEqual([row, true]);
    for (const name of names) expect([name, existsSync(path.join(root, name))]).toEqual([name, true]);
  }
  expect(rows.length).toBeGreaterThan(25);
});

test("every protection in docs/security.md names tests that exist", () => {
  const [, tests = ""] = readFileSync(path.join(root, "docs/security.md"), "utf8").split("## Tests of these protections");
  const shown = tests
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:Protection|-)/.test(line));
  for (const row of shown) {
    const names = [...row.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, name]) => name!);
    expect([row, names.length > 0]).toEqual([row, true]);
    for (const name of names) expect([name, existsSync(path.join(root, name))]).toEqual([name, true]);
  }
  expect(shown.length).toBeGreaterThan(15);
});
