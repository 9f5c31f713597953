import { expect, test, vi } from "vitest";
import type { Backups } from "../../_shared/backups.ts";
import { ascii, cameraExif, join, png } from "../../../tests/support/picture-files.ts";
import { copyOf } from "./copy.ts";
import { restoreCopy } from "./restore.ts";

const id = "0a0b0c0d-0000-4000-8000-000000000001";
const pictures = Array.from({ length: 30 }, (_, at) => `${id}/0a0b0c0d-0000-4000-8000-${String(at).padStart(12, "0")}.png`);

/** A copy of a workspace that has these files and nothing else. */
function copyWith(files: Record<string, Uint8Array>) {
  const encoded = (value: unknown) => new TextEncoder().encode(JSON.stringify(value).replace(/^\[|\]$/g, ""));
  const listed = encoded(Object.keys(files).map((path) => ({ bucket: "logos", path })));
  const rowsOf = (part: string) => (part === "workspace" ? encoded({ id }) : part === "files" ? listed : new Uint8Array());
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

const restore = (backups: Backups, copy: AsyncIterable<Uint8Array>) =>
  restoreCopy(
    backups,
    copy,
    () => Promise.resolve(id),
    (seal) => Promise.resolve(seal),
    id,
  );

/** Notes what is called. */
function noting(restoreFile: Backups["restoreFile"]) {
  const calls: string[] = [];
  const note = (name: string) => () => (calls.push(name), Promise.resolve());
  const names = ["restoreObjects", "restoreRows", "keepRestore", "finishRestore"];
  const backups = { ...Object.fromEntries(names.map((name) => [name, note(name)])), restoreFile };
  return { calls, backups: backups as unknown as Backups };
}

test("a restore says that it lives while it puts back many files", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-23T12:00:00Z") });
  try {
    const copy = copyWith(Object.fromEntries(pictures.map((path) => [path, png.file(png.head(1, 1), png.pixels())])));
    const slow = () => Promise.resolve(void vi.setSystemTime(Date.now() + 30_000));
    const { calls, backups } = noting(slow);
    await restore(backups, copy);
    expect(calls.filter((name) => name === "keepRestore").length).toBeGreaterThanOrEqual(9); // a quarter of an hour
    expect(calls.at(-1)).toBe("finishRestore");
  } finally {
    vi.useRealTimers();
  }
});

test("of a copy that anybody may have made come images alone, and nothing that they say beside; what is refused is counted", async () => {
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
