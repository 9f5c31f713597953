import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { TakeEntry } from "./backup-entries.ts";
import { type Content, readBackup, writeBackup } from "./backup-file.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-backup-file-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => path.join(folder, name);
const passphrase = "correct horse battery staple";

const long = `storage/${"a".repeat(120)}/${"ü".repeat(60)}.png`;
const bytes = Buffer.alloc(3_000_001, "picture");
const file = (name: string, ...pieces: Buffer[]): Content => ({ name, kind: "file", size: Buffer.concat(pieces).length, pieces });
async function* contents(): AsyncGenerator<Content> {
  yield file("backup.json", Buffer.from("{}"));
  yield { name: "storage", kind: "folder", size: 0, pieces: [] };
  yield file("storage/empty");
  yield file(long, bytes.subarray(0, 1_000_000), bytes.subarray(1_000_000));
}

async function whole(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

async function read(name: string, secret: string | null, inspect?: TakeEntry): Promise<Map<string, Buffer | null>> {
  const found = new Map<string, Buffer | null>();
  await readBackup(name, secret, async (entry, pieces) => {
    await inspect?.(entry, pieces);
    const content = await whole(pieces);
    found.set(entry.name, entry.kind === "folder" ? null : content);
  });
  return found;
}

describe.each([
  ["plain", null],
  ["encrypted", passphrase],
])("a backup, %s", (kind, secret) => {
  const name = at(`${kind}.backup`);

  test("returns its entries in order", async () => {
    await writeBackup(name, contents(), secret, 10);
    const found = await read(name, secret);
    expect([...found.keys()]).toEqual(["backup.json", "storage", "storage/empty", long]);
    expect([found.get("storage"), found.get("storage/empty")?.length, found.get(long)?.equals(bytes)]).toEqual([null, 0, true]);
    expect(fs.statSync(name).mode & 0o777).toBe(0o600);
  });

  test("is rejected when a byte differs or its end is missing", async () => {
    const good = fs.readFileSync(name);
    const middle = Math.floor(good.length / 2);
    const changed = Buffer.from(good).fill(good[middle]! ^ 1, middle, middle + 1);
    for (const damaged of [changed, good.subarray(0, good.length - 9), good.subarray(0, middle)]) {
      fs.writeFileSync(at("damaged"), damaged);
      await expect(read(at("damaged"), secret)).rejects.toThrow(/damaged \(|damaged, or the passphrase is wrong \(/);
    }
  });
});

test("a file that grows while read keeps its length, one that shrinks is padded", async () => {
  async function* changing(): AsyncGenerator<Content> {
    yield { name: "grown", kind: "file", size: 3, pieces: [Buffer.from("ab"), Buffer.from("cd"), Buffer.from("ef")] };
    yield { name: "shrunk", kind: "file", size: 5, pieces: [Buffer.from("ab")] };
  }
  await writeBackup(at("changing"), changing(), null);
  const found = await read(at("changing"), null);
  expect([...found.values()].map(String)).toEqual(["abc", "ab\0\0\0"]);
});

test("errors of source and consumer pass through", async () => {
  async function* broken(): AsyncGenerator<Content> {
    yield file("one", bytes);
    throw new Error("the disk has gone");
  }
  await expect(writeBackup(at("broken"), broken(), null)).rejects.toThrow("the disk has gone");
  const full = () => Promise.reject(new Error("no space left"));
  await expect(read(at("plain.backup"), null, full)).rejects.toThrow(/^no space left$/);
});

test("a wrong passphrase, a missing one and a foreign file have different messages", async () => {
  await expect(read(at("encrypted.backup"), "wrong")).rejects.toThrow("is damaged, or the passphrase is wrong");
  await expect(read(at("encrypted.backup"), null)).rejects.toThrow("is encrypted");
  fs.writeFileSync(at("letter"), "Dear Sir or Madam");
  await expect(read(at("letter"), null)).rejects.toThrow("isn't a backup of Tidings");
});

const runs = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

test.skipIf(!runs("tar"))("tar opens a backup", () => {
  fs.mkdirSync(at("by-tar"));
  expect(spawnSync("tar", ["-xzf", at("plain.backup"), "-C", at("by-tar")], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  expect(fs.readFileSync(path.join(at("by-tar"), long)).equals(bytes)).toBe(true);
});

test.skipIf(!runs("age") || !runs("script"))("age opens an encrypted backup", () => {
  const command = `age -d -o ${at("by-age.tar.gz")} ${at("encrypted.backup")}`;
  const { status, stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { input: `${passphrase}\n`, encoding: "utf8" });
  expect([status, stdout]).toEqual([0, expect.any(String)]);
  expect(spawnSync("tar", ["-tzf", at("by-age.tar.gz")], { encoding: "utf8" }).stdout).toContain(long);
});
