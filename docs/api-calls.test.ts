import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiCalls } from "../scripts/api-calls.ts";

/** The formatter aligns the table. */
const cells = (text: string): string => text.replace(/ *\| */g, "|").replace(/-{3,}/g, "---");

test("docs/api-calls.md has every call as it is (npm run api-calls)", () => {
  expect(cells(readFileSync("docs/api-calls.md", "utf8"))).toBe(cells(apiCalls()));
});

test("each call of the API is described and tested", () => {
  const rows = apiCalls()
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  expect(rows.length).toBeGreaterThan(35);
  expect(rows.filter((row) => !row.includes("| yes |") || row.endsWith("|  |"))).toEqual([]);
});
