import { expect, test } from "vitest";
import { DamagedCopy, entriesOf, ZipWriter } from "./zip.ts";

const now = new Date("2026-11-23T12:00:00Z");

async function* asyncly(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield* pieces;
}

test("entries round-trip", async () => {
  const zip = new ZipWriter(now);
  const bytes = new TextEncoder().encode("[1, 2, 3]");
  const pieces = [...zip.add({ name: "a.json", bytes }, true), ...zip.add({ name: "b.png", bytes }, false), ...zip.end()];
  const names: string[] = [];
  for await (const { name } of entriesOf(asyncly(pieces))) names.push(name);
  expect(names).toEqual(["a.json", "b.png"]);
});

test("an endless backup is given up at the limit of entries", async () => {
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

function declaring(bytes: Uint8Array, { length, crc }: { length?: number; crc?: number }): Uint8Array[] {
  const [head, ...rest] = new ZipWriter(now).add({ name: "a.json", bytes }, true) as [Uint8Array, Uint8Array];
  const view = new DataView(head.buffer);
  if (crc !== undefined) view.setUint32(14, crc, true);
  if (length !== undefined) view.setUint32(22, length, true);
  return [head, ...rest, ...new ZipWriter(now).end()];
}
async function read(pieces: Uint8Array[]): Promise<number[]> {
  const lengths: number[] = [];
  for await (const { bytes } of entriesOf(asyncly(pieces))) lengths.push(bytes.length);
  return lengths;
}

test("an entry larger than declared is damaged, even if its checksum matches a prefix", async () => {
  const ofOneZero = 0xd202ef8d;
  expect(await read(declaring(new Uint8Array(1), { crc: ofOneZero }))).toEqual([1]);
  await expect(read(declaring(new Uint8Array(50_000_000), { length: 1, crc: ofOneZero }))).rejects.toThrow(DamagedCopy);
});

test.each<[string, Parameters<typeof declaring>[1]]>([
  ["unpacks to less than it declares", { length: 3_000 }],
  ["has another sum", { crc: 1 }],
])("an entry that %s is damaged", async (_, said) => {
  await expect(read(declaring(new Uint8Array(2_000).fill(7), said))).rejects.toThrow(DamagedCopy);
});

test("a truncated or invalid entry is damaged", async () => {
  const [head, packed, ...end] = declaring(crypto.getRandomValues(new Uint8Array(60_000)), {}) as [Uint8Array, Uint8Array, Uint8Array];
  await expect(read([head, packed.slice().fill(0, 20_000), ...end])).rejects.toThrow(DamagedCopy);
  await expect(read([head, packed.slice().fill(255), ...end])).rejects.toThrow(DamagedCopy);
});

test("the event loop stays free while the largest entry is unpacked", async () => {
  let turns = 0;
  const others = setInterval(() => (turns += 1), 1);
  try {
    expect(await read(declaring(new Uint8Array(16 * 1024 * 1024), {}))).toEqual([16 * 1024 * 1024]);
  } finally {
    clearInterval(others);
  }
  expect(turns).toBeGreaterThan(3);
});
