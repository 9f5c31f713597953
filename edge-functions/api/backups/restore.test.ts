import { describe, expect, test, vi } from "vitest";
import { fromDatabase } from "../../_shared/backend-errors.ts";
import type { Backups } from "../../_shared/backups.ts";
import { AppError } from "../../_shared/errors.ts";
import { ascii, cameraExif, join, png } from "../../../tests/support/picture-files.ts";
import { BucketRefusal, partBytes } from "./bucket.ts";
import { copyOf } from "./copy.ts";
import { cannotBePutBack, piecesOf, restoreCopy } from "./restore.ts";
import { DamagedCopy } from "./zip.ts";

const id = "0a0b0c0d-0000-4000-8000-000000000001";
const pictures = Array.from({ length: 30 }, (_, at) => `${id}/0a0b0c0d-0000-4000-8000-${String(at).padStart(12, "0")}.png`);

function copyWith(files: Record<string, Uint8Array>, rows: Record<string, string> = {}) {
  const listed = JSON.stringify(Object.keys(files).map((path) => ({ bucket: "logos", path }))).slice(1, -1);
  const all: Record<string, string> = { workspace: JSON.stringify({ id }), files: listed, ...rows };
  const rowsOf = (part: string) => new TextEncoder().encode(all[part] ?? "");
  return copyOf(
    {
      workspace: { id, name: "Acme", subdomain: "acme" },
      owner: id,
      read: (part) => Promise.resolve({ rows: rowsOf(part), next: null }),
      picture: (_, path) => Promise.resolve(files[path]!),
      seal: (hash) => Promise.resolve(hash),
      now: new Date(),
    },
    { posts: 0, images: 0 },
  );
}

const restore = (backups: Backups, copy: AsyncIterable<Uint8Array>, into = id) =>
  restoreCopy(
    backups,
    copy,
    () => Promise.resolve(into),
    (seal) => Promise.resolve(seal),
    id,
  );

function noting(restoreFile: Backups["restoreFile"]) {
  const calls: string[] = [];
  const note = (name: string) => () => (calls.push(name), Promise.resolve());
  const names = ["restoreObjects", "restoreRows", "keepRestore", "finishRestore"];
  const backups = { ...Object.fromEntries(names.map((name) => [name, note(name)])), restoreFile };
  return { calls, backups: backups as unknown as Backups };
}

test("a long restore sends heartbeats", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-23T12:00:00Z") });
  try {
    const copy = copyWith(Object.fromEntries(pictures.map((path) => [path, png.file(png.head(1, 1), png.pixels())])));
    const slow = () => Promise.resolve(void vi.setSystemTime(Date.now() + 30_000));
    const { calls, backups } = noting(slow);
    await restore(backups, copy);
    expect(calls.filter((name) => name === "keepRestore").length).toBeGreaterThanOrEqual(9);
    expect(calls.at(-1)).toBe("finishRestore");
  } finally {
    vi.useRealTimers();
  }
});

test("a backup of unknown origin restores only valid images without metadata; rejected ones are counted", async () => {
  const clean = png.file(png.head(1, 1), png.pixels());
  const talkative = join(png.file(png.head(1, 1), png.chunk("eXIf", cameraExif(1)), png.pixels()), ascii("SECRET"));
  const [first, second, third, fourth] = pictures as [string, string, string, string];
  const copy = copyWith({
    [first]: talkative,
    [second]: png.file(png.head(60_000, 60_000), png.pixels()),
    [third]: ascii("<script>"),
    [fourth]: clean,
  });
  const kept: [string, Uint8Array, string][] = [];
  const { calls, backups } = noting((_, path, bytes, type) => Promise.resolve(void kept.push([path, bytes, type])));
  expect(await restore(backups, copy)).toBe(2);
  expect(kept).toEqual([first, fourth].map((path) => [path, clean, "image/png"]));
  expect(calls.at(-1)).toBe("finishRestore");
});

test("rows are restored with the new workspace's image URLs; unrestored parts aren't parsed", async () => {
  const into = "0a0b0c0d-0000-4000-8000-000000000002";
  const address = (bucket: string, workspace: string) => `/storage/v1/object/public/${bucket}/${workspace}/a.png`;
  const row = (workspace: string) => ({ id, text: `![](${address("post-images", workspace)}) "${address("logos", workspace)}"` });
  const other = { text: address("post-images", "0a0b0c0d-0000-4000-8000-000000000003") };
  const kept: [string, unknown[]][] = [];
  const { backups } = noting(() => Promise.resolve());
  backups.restoreRows = (_, part, rows) => Promise.resolve(void kept.push([part, [...rows]]));
  backups.restoreObjects = (_, document) => Promise.resolve(void kept.push(["", [document]]));
  const objects = JSON.stringify({ id, logo_url: address("logos", id) });
  await restore(
    backups,
    copyWith({}, { workspace: objects, members: "no JSON", posts: `${JSON.stringify(row(id))}, ${JSON.stringify(other)}` }),
    into,
  );
  expect(kept).toEqual([
    ["", [expect.objectContaining({ workspace: { id, logo_url: address("logos", into) } })]],
    ["posts", [row(into), other]],
  ]);
});

describe("a bucket", () => {
  const megabytes = (count: number) => count * 1_000_000;
  const part = new Uint8Array(partBytes);
  async function asked(total: number | ((from: number) => number), { piece = part, takes = 0, putting = 0 } = {}): Promise<number> {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-23T12:00:00Z") });
    const wait = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);
    let asked = 0;
    const read = (_: string, from: number) => {
      if ((asked += 1) > 1_000) throw new Error("There is no end to it");
      wait(takes);
      return Promise.resolve({ bytes: piece, total: typeof total === "number" ? total : total(from) });
    };
    try {
      for await (const _ of piecesOf({ read }, "key")) wait(putting);
    } catch (error) {
      throw Object.assign(error as Error, { asked });
    } finally {
      vi.useRealTimers();
    }
    return asked;
  }

  test("the longest backup at the slowest allowed speed is read to the end", async () => {
    expect(await asked(megabytes(4_000), { takes: partBytes / 100_000, putting: 60 })).toBe(Math.ceil(megabytes(4_000) / partBytes));
  });

  test("an oversized total is rejected after one request", async () => {
    await expect(asked(999_999_999_999_999)).rejects.toMatchObject({ name: "DamagedCopy", asked: 1 });
  });

  test("an endless object is read no further than the longest backup", async () => {
    await expect(asked((from) => from + partBytes + 1)).rejects.toThrow(DamagedCopy);
  });

  test("a bucket with one byte a minute is given up after ten minutes", async () => {
    const reading = asked(megabytes(1), { piece: new Uint8Array(1), takes: 60 });
    await expect(reading).rejects.toMatchObject({ name: "BucketRefusal", field: "endpoint", asked: 11 });
    await expect(reading).rejects.toThrow(BucketRefusal);
  });

  test("a restore is given up after a day", async () => {
    await expect(asked(megabytes(4_000), { putting: 3_600 })).rejects.toMatchObject({ name: "DamagedCopy", asked: 26 });
  });
});

describe("database errors about rows", () => {
  const said = (code: string, hint?: string) => fromDatabase({ code, message: "", hint }, 400);

  test.each<[string, unknown]>([
    ["the same row twice in one call", said("21000")],
    ["a value that is none", said("22P02")],
    ["two rows of one name", said("23505")],
    ["a row that is not there", said("23503")],
    ["more than can be written", new RangeError("Maximum call stack size exceeded")],
  ])("rejects rows for good: %s", (_, error) => expect(cannotBePutBack(error)).toBe(true));

  test.each<[string, unknown]>([
    ["a refusal of our own", said("P0001", "subdomain_taken")],
    ["no connection", said("08006")],
    ["a fault", said("XX000")],
    ["a field that somebody can mend", new AppError("validation_failed", { fields: { name: "No" } })],
    ["a bucket's refusal", new BucketRefusal("bucket", "The bucket is full")],
  ])("is something else: %s", (_, error) => expect(cannotBePutBack(error)).toBe(false));
});
