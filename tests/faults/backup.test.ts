import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { run, type RunningStack, startStack } from "../support/stack.ts";
import { newDataFolder } from "../support/template.ts";
import { filesOf, rowsOf } from "./support/contents.ts";
import { storeImage } from "./support/images.ts";
import { onlyRootMounts, smallDisk } from "./support/small-disk.ts";
import { lost, makePlace, type Place, startWriters } from "./support/writers.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-backup-"));
const at = (name: string): string => path.join(folder, name);
const passphrase = "correct horse battery staple";
let stack: RunningStack;
let place: Place;
let restored: RunningStack | null = null;

const leftBeside = (name: string): string[] => fs.readdirSync(folder).filter((other) => other !== name && other.startsWith(`${name}.`));

async function command(args: string[], dataDir: string, env: Record<string, string> = {}) {
  const { code, output } = await run(args, { TIDINGS_DATA_DIR: dataDir, ...env }).ended;
  return { code, output: output.trim() };
}

async function unloggedFiles(dbUrl: string): Promise<string[]> {
  const sql = postgres(dbUrl, { max: 1 });
  try {
    const tables = await sql<{ file: string }[]>`
      select pg_relation_filepath(oid) as file from pg_class where relkind = 'r' and relpersistence = 'u' order by 1
    `;
    return tables.map(({ file }) => file);
  } finally {
    await sql.end();
  }
}

beforeAll(async () => {
  stack = await startStack({ dataDir: await newDataFolder(at("data")) });
  place = await makePlace(stack);
  await storeImage(stack, place);
  const writers = startWriters(stack, place, 2);
  await vi.waitUntil(() => writers.acknowledged.length > 5, { timeout: 60_000 });
  await writers.stop();
});
afterAll(async () => {
  await restored?.stop();
  await stack?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe("a backup of an idle stack", () => {
  test("is encrypted when a passphrase is set, and readable only by its owner", async () => {
    expect(await command(["backup", at("quiet.backup")], stack.dataDir, { TIDINGS_BACKUP_PASSPHRASE: passphrase })).toEqual({
      code: 0,
      output: expect.stringMatching(/quiet\.backup has everything \(\d+\.\d MB, encrypted\)\.$/),
    });
    expect(fs.statSync(at("quiet.backup")).mode & 0o777).toBe(0o600);
    expect(leftBeside("quiet.backup")).toEqual([]);
  });

  test("is recorded for the operator", async () => {
    const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
    const [row] = await sql`select backup_bytes::int as bytes, now() - backed_up_at < interval '1 minute' as is_new from private.machine`;
    await sql.end();
    expect(row).toEqual({ bytes: fs.statSync(at("quiet.backup")).size, is_new: true });
  });

  test("restores every row and every file into a new folder", async () => {
    const before = { rows: await rowsOf(stack.dbUrl), files: filesOf(at("data/storage")), mail: filesOf(at("data/mail")) };
    expect(await command(["restore", at("quiet.backup")], at("new"), { TIDINGS_BACKUP_PASSPHRASE: passphrase })).toEqual({
      code: 0,
      output: `${at("new")} is as it was when the backup was made; start Tidings on it to go on.`,
    });
    // Unlogged tables hold short-lived data and aren't backed up.
    expect(await unloggedFiles(stack.dbUrl)).toHaveLength(4);
    for (const file of await unloggedFiles(stack.dbUrl)) {
      expect(fs.statSync(at(`data/postgres/${file}`)).isFile()).toBe(true);
      expect([at(`new/postgres/${file}`), at(`new/postgres/${file}_init`)].map((name) => fs.existsSync(name))).toEqual([false, true]);
    }
    restored = await startStack({ dataDir: at("new") });
    const after = { rows: await rowsOf(restored.dbUrl), files: filesOf(at("new/storage")), mail: filesOf(at("new/mail")) };
    expect(Object.keys(before.rows).length).toBeGreaterThan(30);
    expect(before.rows["public.posts"]!.length).toBeGreaterThan(5);
    expect(Object.keys(before.files).length).toBeGreaterThan(1);
    expect(after).toEqual(before);
    expect([restored.jwtSecret, restored.publishableKey]).toEqual([stack.jwtSecret, stack.publishableKey]);
    console.log(`${Object.values(after.rows).flat().length} rows, ${Object.keys(after.files).length} files: equal`);
  });

  test("restores a working stack that accepts old sessions and doesn't affect the first one", async () => {
    const writers = startWriters(restored!, place, 1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await writers.stop();
    expect(writers.acknowledged.length).toBeGreaterThan(0);
    expect(await lost(stack, writers.acknowledged)).toEqual(writers.acknowledged);
  });
});

test("a backup during writes has every write acknowledged before it, and no partial one", async () => {
  const before = startWriters(stack, place, 2);
  await new Promise((resolve) => setTimeout(resolve, 400));
  await before.stop();
  const during = startWriters(stack, place, 3);
  const made = await command(["backup", at("busy.backup")], stack.dataDir);
  await during.stop();
  expect(made.output).toContain("not encrypted");
  expect(during.calls.filter(({ status }) => status !== 201)).toEqual([]);

  await command(["restore", at("busy.backup")], at("busy"));
  const copy = await startStack({ dataDir: at("busy") });
  const missing = await lost(copy, before.acknowledged);
  const rows = await rowsOf(copy.dbUrl);
  await copy.stop();
  expect(missing).toEqual([]);
  const ids = (table: string, key: string) => rows[table]!.map((row) => (JSON.parse(row) as Record<string, string>)[key]);
  expect(new Set(ids("public.post_revisions", "post_id"))).toEqual(new Set(ids("public.posts", "id")));
  console.log(`${before.acknowledged.length} posts before and ${during.acknowledged.length} during the backup, 0 lost`);
});

test("only one of two concurrent backups to one name succeeds; the other reports the conflict", async () => {
  const both = await Promise.all([1, 2].map(() => command(["backup", at("twice.backup")], stack.dataDir)));
  expect(both.toSorted((a, b) => a.code! - b.code!)).toEqual([
    { code: 0, output: expect.stringContaining(" has everything (") },
    { code: 1, output: `${at("twice.backup")} exists already; choose another name.` },
  ]);
  expect(leftBeside("twice.backup")).toEqual([]);
  expect((await command(["restore", at("twice.backup")], at("twice"))).code).toBe(0);
});

describe("a restore", () => {
  test("leaves neighbouring files alone, whatever their names", async () => {
    fs.mkdirSync(at("other.part"));
    fs.writeFileSync(at("other.part/letter"), "years of work");
    expect((await command(["restore", at("busy.backup")], at("other"))).code).toBe(0);
    expect(fs.readFileSync(at("other.part/letter"), "utf8")).toBe("years of work");
    expect(leftBeside("other")).toEqual(["other.part"]);
  });

  test("run twice at once into one new folder creates one complete copy", async () => {
    const both = await Promise.all([1, 2].map(() => command(["restore", at("busy.backup")], at("same"))));
    expect(both.toSorted((a, b) => a.code! - b.code!)).toEqual([
      { code: 0, output: expect.stringContaining(" is as it was when the backup was made") },
      { code: 1, output: `${at("same")} isn't empty. Choose a new folder with TIDINGS_DATA_DIR.` },
    ]);
    expect(leftBeside("same")).toEqual([]);
    const copy = await startStack({ dataDir: at("same") });
    await copy.stop();
  });

  test("fills the empty root of a mounted disk", async ({ skip }) => {
    const disk = smallDisk(400);
    if (!disk) return skip(onlyRootMounts);
    try {
      fs.mkdirSync(path.join(disk.folder, "lost+found")); // as on every new ext4
      expect(await command(["restore", at("busy.backup")], disk.folder)).toMatchObject({ code: 0 });
      const copy = await startStack({ dataDir: disk.folder });
      await copy.stop();
      expect(fs.readdirSync(disk.folder).filter((name) => name.startsWith("restore-"))).toEqual([]);
    } finally {
      disk.remove();
    }
  });

  test.each(["new", "empty"])("leaves nothing when interrupted: %s folder", async (kind) => {
    const dataDir = at(`interrupted-${kind}`);
    if (kind === "empty") fs.mkdirSync(dataDir);
    const running = run(["restore", at("busy.backup")], { TIDINGS_DATA_DIR: dataDir });
    const began = () => (kind === "empty" ? fs.readdirSync(dataDir) : leftBeside(path.basename(dataDir)));
    await vi.waitFor(() => expect(began()).toHaveLength(1), { timeout: 20_000, interval: 1 });
    running.signal("SIGTERM");
    expect((await running.ended).code).toBe(130);
    expect([fs.existsSync(dataDir), began()]).toEqual([kind === "empty", []]);
  });
});

describe("a full disk", () => {
  test("is reported as such, leaves no partial backup or folder, and doesn't blame the intact backup", async ({ skip }) => {
    const disk = smallDisk(2);
    if (!disk) return skip(onlyRootMounts);
    const full = (name: string): string => path.join(disk.folder, name);
    try {
      expect(await command(["backup", full("no-room.backup")], stack.dataDir)).toEqual({
        code: 1,
        output: `Couldn't create ${full("no-room.backup")}: no space left on device, write.`,
      });
      expect(fs.readdirSync(disk.folder)).toEqual([]);
      for (const dataDir of [full("new"), disk.folder]) {
        expect(await command(["restore", at("quiet.backup")], dataDir, { TIDINGS_BACKUP_PASSPHRASE: passphrase })).toEqual({
          code: 1,
          output: `${dataDir} can't be filled, and the backup is as it was: no space left on device, write.`,
        });
        expect(fs.readdirSync(disk.folder)).toEqual([]);
      }
    } finally {
      disk.remove();
    }
  });
});

describe("a backup or restore that can't work prints one sentence why and leaves nothing", () => {
  test.each([
    ["without the passphrase", {}, "is encrypted; its passphrase is read from TIDINGS_BACKUP_PASSPHRASE."],
    ["with a wrong one", { TIDINGS_BACKUP_PASSPHRASE: "wrong" }, "is damaged, or the passphrase is wrong"],
  ])("%s", async (_, env, sentence) => {
    const { code, output } = await command(["restore", at("quiet.backup")], at("nothing"), env as Record<string, string>);
    expect([code, output.split("\n").length]).toEqual([1, 1]);
    expect(output).toContain(sentence);
    expect(fs.existsSync(at("nothing"))).toBe(false);
    expect(leftBeside("nothing")).toEqual([]);
  });

  test.each([
    ["one changed byte", (bytes: Buffer) => bytes.fill(bytes[1_000_000]! ^ 1, 1_000_000, 1_000_001)],
    ["a cut end", (bytes: Buffer) => bytes.subarray(0, bytes.length - 1_000)],
  ])("%s", async (_, damage) => {
    for (const [name, env] of [
      ["quiet.backup", { TIDINGS_BACKUP_PASSPHRASE: passphrase }],
      ["busy.backup", {}],
    ] as const) {
      fs.writeFileSync(at("damaged.backup"), damage(fs.readFileSync(at(name))));
      const { code, output } = await command(["restore", at("damaged.backup")], at("nothing"), env as Record<string, string>);
      expect([code, output]).toEqual([1, expect.stringContaining("is damaged")]);
      expect(fs.existsSync(at("nothing"))).toBe(false);
    }
  });

  test("backup and restore reject a folder that isn't empty, an existing file, a stopped stack, and a foreign file", async () => {
    fs.writeFileSync(at("note.txt"), "a letter");
    const of = async (args: string[], dataDir: string) => (await command(args, dataDir)).output;
    expect(await of(["restore", at("busy.backup")], at("data"))).toBe(
      `${at("data")} isn't empty. Choose a new folder with TIDINGS_DATA_DIR.`,
    );
    expect(await of(["backup", at("quiet.backup")], at("data"))).toBe(`${at("quiet.backup")} exists already; choose another name.`);
    expect(await of(["backup", at("x")], at("nowhere"))).toBe(`Tidings isn't running on ${at("nowhere")}; start it to back it up.`);
    expect(await of(["restore", at("note.txt")], at("nothing"))).toBe(`${at("note.txt")} isn't a backup of Tidings.`);
    expect(await of(["backup", at("nowhere/x")], at("data"))).toMatch(/Couldn't create .*\/x: no such file or directory, open '[^\n]*$/);
    expect(await of(["restore", at("quiet.backup")], at("note.txt"))).toMatch(/\/note\.txt can't be filled.*: not a directory, [^\n]*$/);
    expect(await of(["restore", at("gone")], at("nothing"))).toBe(`No backup at ${at("gone")}.`);
  });
});
