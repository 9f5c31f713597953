import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const folder = path.join(import.meta.dirname, "decisions");
const names = readdirSync(folder).toSorted();

test.each(names)("%s has a context, a decision, consequences, and at most 600 words outside its tables", (name) => {
  const text = readFileSync(path.join(folder, name), "utf8");
  expect(text).toMatch(/^# \d+\. .+\n\nDate: \d{4}-\d\d-\d\d.* · Status: /);
  expect(text.match(/^## .*$/gm)).toEqual(["## Context", "## Decision", "## Consequences"]);
  expect(text.replace(/^\|.*$/gm, "").split(/\s+/).length).toBeLessThanOrEqual(600);
});

test("docs/README.md lists every decision", () => {
  const index = readFileSync(path.join(import.meta.dirname, "README.md"), "utf8");
  expect(names.filter((name) => !index.includes(`(decisions/${name})`))).toEqual([]);
});
