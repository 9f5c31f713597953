import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { run, type RunningStack, startStack } from "../support/stack.ts";
import { filesOf, rowsOf } from "./support/contents.ts";
import { storeImage } from "./support/images.ts";
import { lost, makePlace, startWriters } from "./support/writers.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-deleted-"));
const at = (name: string): string => path.join(folder, name);
let stack: RunningStack;
let restored: RunningStack | null = null;

beforeAll(async () => (stack = await startStack({ dataDir: at("data") })));
afterAll(async () => {
  await restored?.stop();
  await stack?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

test("what was deleted for good, rows and files, is in the backup from before; the place it was deleted from goes on without it", async () => {
  const place = await makePlace(stack);
  for (let count = 0; count < 3; count++) await storeImage(stack, place);
  const writers = startWriters(stack, place, 2);
  await vi.waitFor(() => expect(writers.acknowledged.length).toBeGreaterThan(10), { timeout: 30_000 });
  await writers.stop();
  const before = { rows: await rowsOf(stack.dbUrl), files: filesOf(at("data/storage")) };
  expect((await run(["backup", at("before.backup")], { DATA_DIR: stack.dataDir }).ended).code).toBe(0);

  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  await sql`delete from public.workspaces`;
  await sql.end();
  fs.rmSync(at("data/storage"), { recursive: true, force: true });
  expect(await lost(stack, writers.acknowledged)).toEqual(writers.acknowledged);

  expect((await run(["restore", at("before.backup")], { DATA_DIR: at("new") }).ended).code).toBe(0);
  restored = await startStack({ dataDir: at("new") });
  const after = await rowsOf(restored.dbUrl);
  for (const table of ["public.workspaces", "public.members", "public.posts", "public.post_revisions", "storage.objects", "auth.users"])
    expect([table, after[table]]).toEqual([table, before.rows[table]]);
  expect(filesOf(at("new/storage"))).toEqual(before.files);
  expect(await lost(restored, writers.acknowledged)).toEqual([]);
  expect((await fetch(`${stack.url}/healthz`)).status).toBe(200);
  console.log(`deleted for good: ${after["public.posts"]!.length} posts and ${Object.keys(before.files).length} files are back, 0 missing`);
});
