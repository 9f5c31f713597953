import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrationsIn } from "./migrate.ts";
import { StartError } from "../start-error.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "tidings-migrations-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const write = (...names: string[]) => names.forEach((name) => writeFileSync(join(folder, name), "select 1;"));

test("migrationsIn lists versioned .sql files in order", () => {
  write("20260102000000_second.sql", "20260101000000_first.sql", "20260103000000_notes.md", "seed.sql");
  expect(migrationsIn(folder)).toEqual([
    { file: "20260101000000_first.sql", version: "20260101000000", name: "first" },
    { file: "20260102000000_second.sql", version: "20260102000000", name: "second" },
  ]);
});

test("migrationsIn rejects two files with one version, by name", () => {
  write("20260101000000_first.sql", "20260102000000_tags.sql", "20260102000000_images.sql");
  expect(() => migrationsIn(folder)).toThrow(
    new StartError(
      "The migrations 20260102000000_images.sql and 20260102000000_tags.sql have the same version 20260102000000: rename one of them.",
    ),
  );
});
