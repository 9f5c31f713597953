import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { version } from "#contract/version.ts";
import { run, type RunningStack, startStack } from "../support/stack.ts";
import { filesOf, rowsOf } from "./support/contents.ts";
import { storeAvatar, storeImage } from "./support/images.ts";
import { makePlace, type Place } from "./support/writers.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-move-folder-"));
const at = (name: string): string => path.join(folder, name);
const old = at("old");
const demo = { email: "demo@tidings.example", password: "tidings-demo" };
let place: Place;
let avatar: string;
let before: Record<string, string[]>;

async function command(args: string[], dataDir: string, env: Record<string, string> = {}) {
  const { code, output } = await run(args, { TIDINGS_FAST: "1", TIDINGS_DATA_DIR: dataDir, ...env }).ended;
  return { code, output: output.trim() };
}

async function withSql<Result>(stack: RunningStack, act: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  try {
    return await act(sql);
  } finally {
    await sql.end();
  }
}

const fingerprint = (place: string): string => {
  const { stdout } = spawnSync("find", [place, "-printf", "%p %s %T@\n"], { encoding: "utf8", maxBuffer: 2 ** 26 });
  return createHash("sha256")
    .update(stdout.split("\n").toSorted().join())
    .update(JSON.stringify(filesOf(place)))
    .digest("hex");
};

beforeAll(async () => {
  const stack = await startStack({ dataDir: old, seed: "demo" });
  const page = async () => (await fetch(`${stack.url}/releases?workspace=demo`)).text();
  await vi.waitFor(async () => expect(await page()).toContain("Tidings opens its doors"), { timeout: 20_000 });
  place = await makePlace(stack);
  await storeImage(stack, place);
  avatar = await storeAvatar(stack, place);
  await withSql(stack, async (sql) => {
    await sql`insert into public.members (workspace_id, user_id, role) select ${place.workspaceId}, id, 'editor' from auth.users where email = ${demo.email}`;
    before = await rowsOf(stack.dbUrl);
    await sql.unsafe(`
      alter table public.profiles add column mood text; update public.profiles set mood = 'glad' where full_name = 'Ann';
      alter table public.profiles drop column created_at cascade;
      create table public.old_notes as select generate_series(1, 3) as id;
      delete from private.key_calls where call <> 'export_posts';
      update supabase_migrations.schema_migrations set statements = '{another baseline}'`);
  });
  await stack.stop();
  fs.writeFileSync(path.join(old, "postgres/TIDINGS_VERSION"), "0.0.9\n");
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const signIn = async (stack: RunningStack): Promise<number> =>
  (
    await fetch(`${stack.url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: stack.publicUrl },
      body: JSON.stringify(demo),
    })
  ).status;

test("data of another version doesn't start, and moves completely into a new folder: people, workspaces, members, posts, images", async () => {
  await expect(startStack({ dataDir: old })).rejects.toThrow("This data is from another version of Tidings");
  const untouched = fingerprint(path.join(old, "storage"));
  const rowsBefore = fingerprint(path.join(old, "postgres/base"));
  const { code, output } = await command(["move", old], at("new"));
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/now has everything of .*old, which wasn't changed\. Start Tidings on it\. People sign in/),
  ]);
  expect(output).toMatch(/ 2 {2}auth\.users\n/);
  expect(output).toMatch(/ 2 {2}public\.workspaces\n/);
  expect(output).toMatch(
    new RegExp(`Left out, because Tidings ${version} has no place for it:\n +3 {2}public\\.old_notes\n +1 {2}public\\.profiles\\.mood\n`),
  );
  expect([fingerprint(path.join(old, "storage")), fingerprint(path.join(old, "postgres/base"))]).toEqual([untouched, rowsBefore]);

  const stack = await startStack({ dataDir: at("new") });
  try {
    const after = await rowsOf(stack.dbUrl);
    const isMoved = (table: string) => /^(?:public|private)\./.test(table) || ["auth.identities", "storage.objects"].includes(table);
    const withoutTime = (table: string, rows: string[]) =>
      table === "public.profiles" ? rows.map((row) => row.replace(/"created_at": "[^"]+"/, "")) : rows;
    for (const table of Object.keys(before).filter(isMoved))
      expect([table, withoutTime(table, after[table]!)]).toEqual([table, withoutTime(table, before[table]!)]);
    expect(await signIn(stack)).toBe(200);
    expect(await (await fetch(`${stack.url}/releases?workspace=demo`)).text()).toContain("Tidings opens its doors");
    const files = (dataDir: string) => Object.entries(filesOf(path.join(dataDir, "storage"))).filter(([name]) => !name.endsWith(".meta"));
    expect(files(at("new"))).toEqual(files(old));
    const picture = await fetch(stack.url + new URL(avatar, stack.url).pathname);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    // the keys stay the same, so encrypted values and programs' URLs stay valid
    expect(JSON.parse(fs.readFileSync(path.join(at("new"), "keys.json"), "utf8"))).toEqual(
      JSON.parse(fs.readFileSync(path.join(old, "keys.json"), "utf8")),
    );
  } finally {
    await stack.stop();
  }
});

test("a move reports a missing required column and leaves the target empty", async () => {
  const stack = await startStack({ dataDir: at("without-roles") });
  await makePlace(stack);
  await withSql(stack, (sql) => sql.unsafe("alter table public.members drop column role cascade"));
  await stack.stop();
  expect(await command(["move", at("without-roles")], at("never"))).toEqual({
    code: 1,
    output: expect.stringMatching(/^Column role of public\.members is new and has no default for 1 rows\.$/m),
  });
  expect(fs.existsSync(at("never"))).toBe(false);
});

const processesOf = (place: string): string[] =>
  spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
    .stdout.split("\n")
    .filter((line) => line.includes(place));

test("an interrupted move leaves nothing; a killed one leaves a folder that doesn't start, and the move can be repeated", async () => {
  const half = at("half");
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const running = run(["move", old], { TIDINGS_FAST: "1", TIDINGS_DATA_DIR: half });
    await vi.waitUntil(() => processesOf(`${half}/moving/postgres`).length > 0, { timeout: 30_000, interval: 20 });
    running.signal(signal);
    await running.ended;
    if (signal === "SIGTERM") {
      expect(fs.existsSync(path.join(half, "moving"))).toBe(false);
      await vi.waitUntil(() => processesOf(half).length === 0, { timeout: 10_000 });
    }
  }
  await expect(startStack({ dataDir: half })).rejects.toThrow(`A move into ${half} was cut off; run it again, or delete ${half}/moving.`);
  expect((await command(["move", old], half)).code).toBe(0);
  const stack = await startStack({ dataDir: half });
  expect(await signIn(stack)).toBe(200);
  await stack.stop();
  expect(processesOf(half)).toEqual([]);
});

test("an impossible move reports one sentence and changes nothing", async () => {
  const of = async (args: string[], dataDir: string, env: Record<string, string> = {}) =>
    (await command(["move", ...args], dataDir, env)).output;
  const usage = "Name the data folder of the other version, and no more: npm run move -- <folder>";
  expect(await of([], at("nothing"))).toBe(usage);
  expect(await of([old, old], at("nothing"))).toBe(usage);
  expect(await of([old], old)).toBe(`${old} is the folder to be filled; name another one with TIDINGS_DATA_DIR.`);
  expect(await of([at("gone")], at("nothing"))).toBe(`${at("gone")} isn't a data folder of Tidings that can be read.`);
  expect(await of([old], at("new"))).toBe(`${at("new")} isn't empty. Choose a new folder with TIDINGS_DATA_DIR.`);

  const copy = at("copy");
  spawnSync("cp", ["-pPR", old, copy]);
  fs.writeFileSync(path.join(copy, "postgres/TIDINGS_VERSION"), "999.0.0\n");
  expect(await of([copy], at("nothing"))).toBe(`${copy} was written by Tidings 999.0.0, and this is the older ${version}.`);
  fs.writeFileSync(path.join(copy, "postgres/PG_VERSION"), "16\n");
  expect(await of([copy], at("nothing"))).toBe(`${copy} is of Postgres 16, and this is 17.`);

  const stack = await startStack({ dataDir: at("running") });
  expect(await of([at("running")], at("nothing"))).toBe(`Tidings is running on ${at("running")}; stop it first.`);
  await stack.stop();
  expect(fs.existsSync(at("nothing"))).toBe(false);
});
