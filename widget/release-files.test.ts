// @vitest-environment node
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, type Plugin } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const dayMs = 86_400_000;
let dist: string;
beforeAll(() => {
  dist = mkdtempSync(path.join(tmpdir(), "tidings-widget-"));
});
afterAll(() => rmSync(dist, { recursive: true, force: true }));

async function buildRelease(version: string): Promise<string[]> {
  const marked: Plugin = {
    name: "marked",
    transform: (code, id) => (id.endsWith("/main.ts") ? `${code}\nwindow.version = "${version}";` : null),
  };
  await build({
    root,
    configFile: path.join(root, "vite.config.ts"),
    mode: "widget",
    logLevel: "silent",
    plugins: [marked],
    build: { outDir: dist },
  });
  const described = JSON.parse(readFileSync(at("widget.json"), "utf8")) as Record<string, { file: string }>;
  return Object.values(described).map(({ file }) => file.slice(1));
}

const at = (name: string): string => path.join(dist, name);
const age = (names: string[], days: number): void => {
  const then = new Date(Date.now() - days * dayMs);
  for (const name of names) utimesSync(at(name), then, then);
};

describe("a pinned release", () => {
  test("is served for a year after being replaced, also compressed, and then deleted", async () => {
    const first = [...(await buildRelease("1")).slice(0, 2), "widget-more-0123456789abcdef.js"];
    const replaced = first.flatMap((name) => [name, `${name}.br`, `${name}.gz`]);
    for (const name of replaced) writeFileSync(at(name), "");
    age(first, 900);
    utimesSync(at(first[2]!), new Date(), new Date()); // replaced today

    const second = await buildRelease("2");
    const kept = (): boolean => replaced.every((name) => existsSync(at(name)));
    expect(second).not.toContain(first[0]);
    expect(kept()).toBe(true);

    age(first, 365);
    const third = await buildRelease("3");
    expect(kept()).toBe(true);

    age(first, 367);
    await buildRelease("3");
    expect(readdirSync(dist).sort()).toEqual(
      [...new Set([...second, ...third]), "fonts", "widget-headway.js", "widget-module.js", "widget.js", "widget.json"].sort(),
    );
  });
  test("names the second file and its hash", async () => {
    const [script, , , more] = await buildRelease("2");
    const hash = createHash("sha256")
      .update(readFileSync(at(more!)))
      .digest("base64");
    const code = readFileSync(at(script!), "utf8");
    expect([`/${more}`, `sha256-${hash}`].filter((part) => !code.includes(part))).toEqual([]);
  });
  test("leaves no earlier files without a hash", async () => {
    const stale = ["widget.js.br", "widget.js.gz", "widget.json.gz", "else.txt"];
    for (const name of stale) writeFileSync(at(name), "");
    await buildRelease("4");
    expect(stale.filter((name) => existsSync(at(name)))).toEqual([]);
  });
});
