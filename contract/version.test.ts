import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { version } from "./version.ts";

test("the version that the product tells is that of package.json", () => {
  const file = new URL("../package.json", import.meta.url);
  expect(version).toBe((JSON.parse(readFileSync(file, "utf8")) as { version: string }).version);
});
