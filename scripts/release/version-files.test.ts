import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { version } from "#contract/version.ts";
import { versionFiles, withVersion } from "./version-files.ts";

test("withVersion replaces the version where a pattern says, and nowhere else", () => {
  const text = '"version": "1.0.0", "zod": "1.0.0"\nzod:1.0.0 tidings:1.0.0 tidings:1.0.0';
  expect(withVersion(text, ['"version": "{version}"', "tidings:{version}"], "1.0.0", "1.1.0")).toBe(
    '"version": "1.1.0", "zod": "1.0.0"\nzod:1.0.0 tidings:1.1.0 tidings:1.1.0',
  );
});

test("withVersion throws when a pattern isn't there", () => {
  expect(() => withVersion("tidings:latest", ["tidings:{version}"], "1.0.0", "1.1.0")).toThrow('The text has no "tidings:1.0.0".');
});

test("every listed file names the version, and no other file names its image", () => {
  for (const [file, patterns] of Object.entries(versionFiles))
    expect(() => withVersion(readFileSync(file, "utf8"), patterns, version, "999.0.0"), file).not.toThrow();
  const naming = execFileSync("git", ["grep", "-lE", `tidings(-supabase)?:${version}`], { encoding: "utf8" })
    .trim()
    .split("\n");
  expect(naming.filter((file) => !(file in versionFiles))).toEqual([]);
});
