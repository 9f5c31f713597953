import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const table = readFileSync(path.join(root, "docs/asvs.md"), "utf8");
const rows = table.split("\n").filter((line) => /^\| V\d/.test(line));

test("every requirement of docs/asvs.md names tests that exist", () => {
  for (const row of rows) {
    const names = [...row.matchAll(/`([\w/.-]+\.test\.tsx?)`/g)].map(([, name]) => name!);
    expect([row, names.length > 0]).toEqual([row, true]);
    for (const name of names) expect([name, existsSync(path.join(root, name))]).toEqual([name, true]);
  }
  expect(rows.length).toBeGreaterThan(25);
});
