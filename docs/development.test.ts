import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test('the answers to "Where is …?" name files and symbols that exist', () => {
  const section = readFileSync("docs/development.md", "utf8").split("## Where is …?")[1]!.split("\n## ")[0]!;
  const rows = [...section.matchAll(/^\| .+\? +\| `([^`]+)` +\| `([^`]+)`/gm)];
  expect(rows).toHaveLength(13);
  for (const [, file, symbol] of rows) expect(readFileSync(file!, "utf8"), file).toContain(symbol);
});
