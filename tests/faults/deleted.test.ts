import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { node, run, type RunningStack, startStack } from "../support/stack.ts";
import { newDataFolder } from "../support/template.ts";
import { filesOf, rowsOf } from "./support/contents.ts";
import { storeAvatar, storeImage } from "./support/images.ts";
import { lost, makePlace, startWriters } from "./support/writers.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-deleted-"));
const at = (name: string): string => path.join(folder, name);
let stack: RunningStack;
let restored: RunningStack | null = null;

beforeAll(async () => (stack = await startStack({ dataDir: await newDataFolder(at("data")) })));
afterAll(async () => {
  await restored?.stop();
  await stack?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

test("permanently deleted rows and files are still in the earlier backup, and the source stays without them", async () => {
  const place = await makePlace(stack);
  for (let count = 0; count < 3; count++) await storeImage(stack, place);
  const writers = startWriters(stack, place, 2);
  await vi.waitFor(() => expect(writers.acknowledged.length).toBeGreaterThan(10), { timeout: 30_000 });
  await writers.stop();
  const before = { rows: await rowsOf(stack.dbUrl), files: filesOf(at("data/storage")) };
  expect((await run(["backup", at("before.backup")], { TIDINGS_DATA_DIR: stack.dataDir }).ended).code).toBe(0);

  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  await sql`delete from public.workspaces`;
  await sql.end();
  fs.rmSync(at("data/storage"), { recursive: true, force: true });
  expect(await lost(stack, writers.acknowledged)).toEqual(writers.acknowledged);

  expect((await run(["restore", at("before.backup")], { TIDINGS_DATA_DIR: at("new") }).ended).code).toBe(0);
  restored = await startStack({ dataDir: at("new") });
  const after = await rowsOf(restored.dbUrl);
  for (const table of ["public.workspaces", "public.members", "public.posts", "public.post_revisions", "storage.objects", "auth.users"])
    expect([table, after[table]]).toEqual([table, before.rows[table]]);
  expect(filesOf(at("new/storage"))).toEqual(before.files);
  expect(await lost(restored, writers.acknowledged)).toEqual([]);
  expect((await fetch(`${stack.url}/healthz`)).status).toBe(200);
  console.log(`deleted for good: ${after["public.posts"]!.length} posts and ${Object.keys(before.files).length} files are back, 0 missing`);
});

describe("deleting a person by the command of docs/operations.md", () => {
  const documented = /TIDINGS_DATA_DIR=\S+ node (scripts\/delete-person\.ts) ada@example\.com/.exec(
    fs.readFileSync("docs/operations.md", "utf8"),
  )![1]!;
  const deletePerson = (email: string) => {
    const env = { ...process.env, TIDINGS_DATA_DIR: stack.dataDir };
    const { status, stdout, stderr } = spawnSync(node, [documented, email], { env, encoding: "utf8" });
    return { code: status, output: (stdout + stderr).trim() };
  };

  test("keeps the owner of a workspace until it is transferred, then deletes account and avatar", { timeout: 60_000 }, async () => {
    const place = await makePlace(stack);
    const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
    onTestFinished(() => sql.end());
    const [owner] = await sql<{ id: string; email: string; subdomain: string }[]>`
      select u.id, u.email, w.subdomain::text from auth.users u join public.members m on m.user_id = u.id
      join public.workspaces w on w.id = m.workspace_id where w.id = ${place.workspaceId}`;
    const { id, email, subdomain } = owner!;
    const picture = await storeAvatar(stack, place);
    expect(deletePerson(email)).toEqual({
      code: 1,
      output: `${email} owns workspaces; each is handed over or deleted first:\n  Faults (${subdomain})`,
    });
    expect((await fetch(stack.url + picture)).status).toBe(200);
    await sql`delete from public.workspaces where id = ${place.workspaceId}`;
    expect(deletePerson(email.toUpperCase())).toEqual({ code: 0, output: `${email.toUpperCase()} is deleted.` });
    expect(await sql`select from public.profiles where user_id = ${id}`).toHaveLength(0);
    await expect.poll(async () => (await fetch(stack.url + picture)).status, { timeout: 30_000, interval: 250 }).not.toBe(200);
    expect(deletePerson(email)).toEqual({ code: 1, output: `No account has the address ${email}.` });
  });
});
