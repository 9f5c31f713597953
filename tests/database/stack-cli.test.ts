import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { afterAll, expect, inject, test } from "vitest";

const { ownerUrl } = inject("stack");
const owner = postgres(ownerUrl, { max: 1, onnotice: () => {} });
const project = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-push-"));
const version = "29990101000000";
const late = `${version}_of_a_test.sql`; // rolled back, as other tests use this database

afterAll(async () => {
  await owner`delete from supabase_migrations.schema_migrations where version = ${version}`;
  await owner.end();
  fs.rmSync(project, { recursive: true });
});

async function push(...options: string[]): Promise<string> {
  const args = ["db", "push", "--workdir", project, "--db-url", `${ownerUrl}?sslmode=disable`, "--yes", ...options];
  const env = { ...process.env, SUPABASE_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const { stdout, stderr } = await promisify(execFile)("node_modules/.bin/supabase", args, { env, timeout: 150_000 });
  return stdout + stderr;
}

test("`supabase db push` finds the history of a stack's database, and applies new migrations", async () => {
  fs.cpSync("supabase/migrations", path.join(project, "supabase/migrations"), { recursive: true });
  fs.cpSync("supabase/config.toml", path.join(project, "supabase/config.toml"));
  fs.cpSync("supabase/templates", path.join(project, "supabase/templates"), { recursive: true });
  expect(await push()).toContain("up to date");

  fs.writeFileSync(path.join(project, "supabase/migrations", late), "select 1;\n");
  const said = await push();
  expect(said).toContain(late);
  expect(said).not.toMatch(/2026\d+_\w+\.sql/);
  expect([...(await owner`select name from supabase_migrations.schema_migrations where version = ${version}`)]).toEqual([
    { name: "of_a_test" },
  ]);
  expect(await push()).toContain("up to date");
}, 480_000);
