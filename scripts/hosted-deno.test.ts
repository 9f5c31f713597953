import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { hostedDeno } from "./hosted-deno.ts";

const { optionalDependencies } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "../tests/hosted-deno/package.json"), "utf8"),
) as {
  optionalDependencies: Record<string, string>;
};

test("the program is the version that tests/hosted-deno names, one for every machine", () => {
  const versions = Object.values(optionalDependencies).map((wanted) => wanted.replace(/^.*@/, ""));
  expect(new Set(versions).size).toBe(1);
  expect(execFileSync(hostedDeno(), ["--version"], { encoding: "utf8" })).toContain(`deno ${versions[0]} `);
  expect(Object.keys(optionalDependencies)).toEqual(
    ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"].map((machine) => `deno-hosted-${machine}`),
  );
});

test("where it is not installed, that is said with the package's name", () => {
  expect(() => hostedDeno("plan9-mips")).toThrow("package deno-hosted-plan9-mips");
});

test("installing without dev dependencies leaves it out", () => {
  const lock = JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const programs = Object.entries(lock.packages).filter(([name]) => name.includes("node_modules/deno-hosted-"));
  expect(programs.map(([, { dev }]) => dev)).toEqual([true, true, true, true]);
});
