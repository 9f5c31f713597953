import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { version } from "./version.ts";

test("the version equals package.json's", () => {
  const file = new URL("../package.json", import.meta.url);
  expect(version).toBe((JSON.parse(readFileSync(file, "utf8")) as { version: string }).version);
});
