import { expect, test, vi } from "vitest";
import type { Backups } from "../../_shared/backups.ts";
import { png } from "../../../tests/support/picture-files.ts";
import { copyOf } from "./copy.ts";
import { restoreCopy } from "./restore.ts";

const id = "0a0b0c0d-0000-4000-8000-000000000001";
const pictures = Array.from({ length: 30 }, (_, at) => `${id}/0a0b0c0d-0000-4000-8000-${String(at).padStart(12, "0")}.png`);

/** Notes what is called. */
function noting(restoreFile: () => Promise<void>) {
  const calls: string[] = [];
  const note = (name: string) => () => (calls.push(name), Promise.resolve());
  const names = ["restoreObjects", "restoreRows", "keepRestore", "finishRestore"];
  const backups = { ...Object.fromEntries(names.map((name) => [name, note(name)])), restoreFile };
  return { calls, backups: backups as unknown as Backups };
}

test("a restore says that it lives while it puts back many files", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-23T12:00:00Z") });
  try {
    const encoded = (value: unknown) => new TextEncoder().encode(JSON.stringify(value).replace(/^\[|\]$/g, ""));
    const read = (part: string) =>
      Promise.resolve({
        rows:
          part === "workspace"
            ? encoded({ id })
            : part === "files"
              ? encoded(pictures.map((path) => ({ bucket: "logos", path })))
              : new Uint8Array(),
        next: null,
      });
    const copy = copyOf(
      {
        workspace: { id, name: "Acme", subdomain: "acme" },
        owner: id,
        read,
        picture: () => Promise.resolve(png.file(png.head(1, 1), png.pixels())),
        seal: (hash) => Promise.resolve(hash),
        now: new Date(),
      },
      { posts: 0, images: 0 },
    );
    const slow = () => Promise.resolve(void vi.setSystemTime(Date.now() + 30_000));
    const { calls, backups } = noting(slow);
    await restoreCopy(
      backups,
      copy,
      () => Promise.resolve(id),
      (seal) => Promise.resolve(seal),
      id,
    );
    expect(calls.filter((name) => name === "keepRestore").length).toBeGreaterThanOrEqual(9); // a quarter of an hour
    expect(calls.at(-1)).toBe("finishRestore");
  } finally {
    vi.useRealTimers();
  }
});
