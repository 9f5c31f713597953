import { expect, test } from "vitest";
import { closed, opened, WrongPassphrase } from "./age.ts";
import { DamagedCopy } from "./zip.ts";

const encoded = (text: string) => new TextEncoder().encode(text);
const passphrase = "a long passphrase of somebody";

async function* asyncly(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield* pieces;
}
async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return new Uint8Array(Buffer.concat(all));
}

test("an encrypted copy is decrypted only with its passphrase", async () => {
  const sealed = await whole(await closed(asyncly([encoded("a"), encoded("b")]), passphrase));
  expect(new TextDecoder().decode(await whole(await opened(asyncly([sealed]), passphrase)))).toBe("ab");
  await expect(opened(asyncly([sealed]), "another one")).rejects.toThrow(WrongPassphrase);
});

test("an unterminated header is rejected early", async () => {
  let taken = 0;
  async function* endless(): AsyncGenerator<Uint8Array, void> {
    yield encoded("age-encryption.org/v1\n-> scrypt AAAA 15\n");
    for (; taken < 100; taken += 1) yield encoded("A".repeat(10_000));
  }
  await expect(opened(endless(), passphrase)).rejects.toThrow(DamagedCopy);
  expect(taken).toBe(0);
});

test("a work factor above the memory limit is rejected", async () => {
  const header = `age-encryption.org/v1\n-> scrypt AAAA 22\n${"A".repeat(43)}\n--- ${"A".repeat(43)}\n`;
  await expect(opened(asyncly([encoded(header)]), passphrase)).rejects.toThrow(/too much memory/);
});
