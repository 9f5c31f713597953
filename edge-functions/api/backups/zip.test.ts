import { expect, test } from "vitest";
import { DamagedCopy, entriesOf, ZipWriter } from "./zip.ts";

const now = new Date("2026-11-23T12:00:00Z");

async function* asyncly(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield* pieces;
}

test("entries come back as they were written", async () => {
  const zip = new ZipWriter(now);
  const bytes = new TextEncoder().encode("[1, 2, 3]");
  const pieces = [...zip.add({ name: "a.json", bytes }, true), ...zip.add({ name: "b.png", bytes }, false), ...zip.end()];
  const names: string[] = [];
  for await (const { name } of entriesOf(asyncly(pieces))) names.push(name);
  expect(names).toEqual(["a.json", "b.png"]);
});

test("a copy that never ends is given up at as many entries as any has", async () => {
  const [head, content] = new ZipWriter(now).add({ name: "rows/tags-0001.json", bytes: new Uint8Array(2) }, false);
  async function* endless(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      yield head!;
      yield content!;
    }
  }
  let count = 0;
  const reading = async () => {
    for await (const _ of entriesOf(endless())) count += 1;
  };
  await expect(reading()).rejects.toThrow(DamagedCopy);
  expect(count).toBe(65_000);
});
