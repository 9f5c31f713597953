import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { version } from "#contract/version.ts";
import { migrationsIn } from "../../supabase/local/engine/migrate.ts";
import type { Keys } from "../../supabase/local/keys.ts";
import { freePort, run } from "../support/stack.ts";
import { rowsOf } from "./support/contents.ts";
import { onlyRootMounts, smallDisk } from "./support/small-disk.ts";
import { makeVersion, type Version } from "./support/version.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-upgrade-"));
const at = (name: string): string => path.join(folder, name);
const later = "999.0.0";
const seen = "29990101000000_seen.sql";
const addSeen = "alter table public.posts add column seen boolean not null default false;";
const copy = (to: string): void => void execFileSync("cp", ["-pPR", `${at("original")}/.`, to]);

let old: Version;
let next: Version;
let before: Record<string, string[]>;
let dataDir: string;

const laterVersion = (name: string, more: Record<string, string>): Version =>
  makeVersion(at(name), later, (migrations) => {
    for (const [file, text] of Object.entries(more)) fs.writeFileSync(path.join(migrations, file), text);
  });

beforeAll(async () => {
  old = makeVersion(at("old"), version, () => {});
  next = laterVersion("next", { [seen]: addSeen });
  before = await contents(old, at("original"), write);
  expect(before["public.posts"]).toHaveLength(50);
});
beforeEach(() => {
  dataDir = fs.mkdtempSync(at("data-"));
  copy(dataDir);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

async function contents(starting: Version, data: string, act: (dbUrl: string) => Promise<void> = async () => {}) {
  const stack = await starting.start(data, await freePort());
  try {
    await act(stack.dbUrl);
    return await rowsOf(stack.dbUrl);
  } finally {
    await stack.stop();
  }
}

async function write(dbUrl: string): Promise<void> {
  const sql = postgres(dbUrl, { max: 1, onnotice: () => {} });
  await sql`insert into auth.users (id, aud, role, email, email_confirmed_at, raw_user_meta_data)
    select gen_random_uuid(), 'authenticated', 'authenticated', n || '@example.com', now(), '{"full_name": "Ann"}' from generate_series(1, 5) n`;
  await sql`with place as (insert into public.workspaces (name, subdomain, origin) values ('Acme', 'acme-upgrade', 'https://acme.example') returning id)
    insert into public.posts (workspace_id, title, content_raw, created_by)
    select place.id, 'Post ' || n, '{"time": 0, "blocks": [], "version": "2.28.2"}', (select id from auth.users limit 1) from place, generate_series(1, 50) n`;
  await sql.end();
}

const leftOfUpgrades = (): string[] => fs.readdirSync(dataDir).filter((name) => /backup|\.part/.test(name));
const versionOf = (data: string): string => fs.readFileSync(path.join(data, "postgres/TIDINGS_VERSION"), "utf8").trim();

test("an upgrade keeps every row, records the version, and keeps a backup from before it", async () => {
  expect(versionOf(dataDir)).toBe(version);
  const after = await contents(next, dataDir);
  for (const table of ["auth.users", "public.profiles", "public.workspaces"]) expect([table, after[table]]).toEqual([table, before[table]]);
  const kept = before["public.posts"]!.map((row) => ({ ...(JSON.parse(row) as object), seen: false }));
  const rows = after["public.posts"]!.map((row) => JSON.parse(row) as object);
  expect(rows).toHaveLength(kept.length);
  expect(rows).toEqual(expect.arrayContaining(kept));
  const versions = after["supabase_migrations.schema_migrations"]!.map((row) => (JSON.parse(row) as { version: string }).version);
  expect(versions.toSorted()).toEqual([...migrationsIn("supabase/migrations").map((each) => each.version), seen.slice(0, 14)]);
  expect([versionOf(dataDir), leftOfUpgrades()]).toEqual([later, ["before-upgrade.backup"]]);

  await contents(next, dataDir);
  const restored = at("restored");
  await run(["restore", path.join(dataDir, "before-upgrade.backup")], { TIDINGS_DATA_DIR: restored }).ended;
  expect([versionOf(restored), await contents(old, restored)]).toEqual([version, before]);
});

test("a failed migration restores the previous data, including committed steps, and the old version runs", async () => {
  const failing = laterVersion("failing", {
    [seen]: `${addSeen} commit; begin;`,
    "29990101000001_fails.sql": "alter table public.posts add column seen text;",
  });
  await expect(failing.start(dataDir, await freePort())).rejects.toThrow(
    /The upgrade to Tidings 999\.0\.0 failed and was undone, so the version before can go on: Migration 29990101000001_fails\.sql can't be applied: column "seen" of relation "posts" already exists/,
  );
  expect([versionOf(dataDir), leftOfUpgrades()]).toEqual([version, ["undone-upgrade.backup"]]);
  expect(await contents(old, dataDir)).toEqual(before);
  expect(leftOfUpgrades()).toEqual([]);
  console.log(`a failed upgrade: ${Object.values(before).flat().length} rows, all as before`);
});

test("a repeated upgrade reuses its backup until the old version has run", async () => {
  const failing = laterVersion("failing-again", { "29990101000000_fails.sql": "select 1 / 0;" });
  const backup = path.join(dataDir, "undone-upgrade.backup");
  const fail = async () => {
    await expect(failing.start(dataDir, await freePort())).rejects.toThrow("division by zero");
    return fs.statSync(backup);
  };
  const first = await fail();
  const second = await fail();
  expect([second.ino, second.mtimeMs]).toEqual([first.ino, first.mtimeMs]);

  await contents(old, dataDir, async (dbUrl) => {
    const sql = postgres(dbUrl, { max: 1, onnotice: () => {} });
    await sql`update public.workspaces set name = 'Renamed'`;
    await sql.end();
  });
  expect((await fail()).mtimeMs).toBeGreaterThan(second.mtimeMs);
  const after = await contents(next, dataDir);
  expect(after["public.workspaces"]!.map((row) => (JSON.parse(row) as { name: string }).name)).toEqual(["Renamed"]);
  expect([versionOf(dataDir), leftOfUpgrades()]).toEqual([later, ["before-upgrade.backup"]]);
});

test("a stopped or killed upgrade leaves the old data, whichever version starts next", async () => {
  const slow = laterVersion("slow", { [seen]: `${addSeen} commit; begin; select pg_sleep(600);` });
  for (const [signal, survivor] of [
    ["SIGTERM", old],
    ["SIGKILL", old],
    ["SIGKILL", next],
  ] as const) {
    const child = slow.run(dataDir, await freePort());
    const ended = once(child, "exit");
    await vi.waitFor(async () => expect(await hasColumn("seen")).toBe(true), { timeout: 30_000, interval: 100 });
    child.kill(signal);
    await ended;
    if (signal === "SIGKILL") expect(leftOfUpgrades()).toEqual(["upgrade.backup"]);
    const after = await contents(survivor, dataDir);
    if (survivor === old) expect(after).toEqual(before);
    else expect(after["public.posts"]).toHaveLength(50);
    expect(versionOf(dataDir)).toBe(survivor === old ? version : later);
  }
});

async function hasColumn(name: string): Promise<boolean> {
  const port = Number(fs.readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[3]);
  const { adminPassword } = JSON.parse(fs.readFileSync(path.join(dataDir, "keys.json"), "utf8")) as Keys;
  const sql = postgres(`postgresql://supabase_admin:${adminPassword}@127.0.0.1:${port}/postgres`, { max: 1, connect_timeout: 2 });
  try {
    return (await sql`select from pg_attribute where attrelid = 'public.posts'::regclass and attname = ${name}`).length > 0;
  } finally {
    await sql.end();
  }
}

test("a kill during backup or restore changes nothing", async () => {
  for (const moment of ["upgrade.backup.part", "postgres.part"]) {
    if (moment === "postgres.part") {
      await contents(next, dataDir);
      fs.renameSync(path.join(dataDir, "before-upgrade.backup"), path.join(dataDir, "upgrade.backup"));
    }
    const child = next.run(dataDir, await freePort());
    const ended = once(child, "exit");
    await vi.waitUntil(() => fs.existsSync(path.join(dataDir, moment)), { timeout: 30_000, interval: 1 });
    child.kill("SIGKILL");
    await ended;
    expect(await contents(old, dataDir)).toEqual(before);
    expect([versionOf(dataDir), leftOfUpgrades()]).toEqual([version, []]);
  }
});

test("an upgrade without room for its backup is refused", async ({ skip }) => {
  const disk = smallDisk(500);
  if (!disk) return skip(onlyRootMounts);
  try {
    copy(disk.folder);
    fs.writeFileSync(path.join(disk.folder, "mail/large"), randomBytes(150_000_000));
    const filler = path.join(disk.folder, "filler");
    for (const [free, reason] of Object.entries({ 50_000_000: "the disk is full", 90_000_000: "no space left on device" })) {
      fs.rmSync(filler, { force: true });
      const { bavail, bsize } = fs.statfsSync(disk.folder);
      fs.writeFileSync(filler, Buffer.alloc(bavail * bsize - Number(free)));
      await expect(next.start(disk.folder, await freePort())).rejects.toThrow(
        `The data was left untouched, because the backup before the upgrade failed: ${reason}`,
      );
    }
    fs.rmSync(filler);
    expect(await contents(old, disk.folder)).toEqual(before);
  } finally {
    disk.remove();
  }
});

test("an older version refuses newer data, another baseline is refused too, and nothing changes", async () => {
  const after = await contents(next, dataDir);
  await expect(old.start(dataDir, await freePort())).rejects.toThrow(
    `This data was written by Tidings ${later} and was left untouched, because this is the older ${version}: start Tidings ${later} or a newer version.`,
  );
  const other = makeVersion(at("other"), later, (migrations) => {
    for (const { file } of migrationsIn(migrations)) fs.appendFileSync(path.join(migrations, file), "\n-- another baseline\n");
  });
  await expect(other.start(dataDir, await freePort())).rejects.toThrow(
    "This data is from another version of Tidings (migration 20261127000000) and was left untouched.",
  );
  expect(await contents(next, dataDir)).toEqual(after);
});
