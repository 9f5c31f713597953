import { fc } from "../../tests/support/properties.ts";
import { expect, test } from "vitest";
import { apiKeyPrefix, hashOfApiKey, isApiKey, makeApiKey, partsOfApiKey } from "./api-key.ts";

test("a key is tdk_, thirty random characters and a six-character checksum", () => {
  const keys = Array.from({ length: 500 }, () => makeApiKey());
  expect(new Set(keys).size).toBe(500);
  for (const key of keys) {
    expect(key).toMatch(/^tdk_[0-9A-Za-z]{36}$/);
    expect(isApiKey(key)).toBe(true);
  }
});

test("a key from known bytes; a checksum below 62^5 is padded", () => {
  expect(makeApiKey(() => new Uint8Array(60))).toBe("tdk_0000000000000000000000000000002C8GjS");
  const short = Array.from({ length: 4_000 }, () => makeApiKey()).filter((key) => key.charAt(34) === "0");
  expect(short.length).toBeGreaterThan(0);
  expect(short.every(isApiKey)).toBe(true);
});

test("every character is equally likely", () => {
  const counts = new Map<string, number>();
  const total = 62 * 3_000;
  for (let made = 0; made < total / 30; made++) {
    for (const character of makeApiKey().slice(4, 34)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(Math.abs(count - 3_000)).toBeLessThan(5 * Math.sqrt(3_000));
});

test("biased bytes are rejected", () => {
  const bytes = Uint8Array.from({ length: 60 }, (_, place) => (place % 2 === 0 ? 248 + (place % 8) : place % 62));
  expect(makeApiKey(() => bytes).slice(4, 34)).toMatch(/^1357/);
});

test("mistyped, truncated, extended and foreign keys are rejected", () => {
  const key = makeApiKey();
  fc.assert(
    fc.property(fc.integer({ min: 0, max: key.length - 1 }), fc.constantFrom(..."0AZaz9_-é "), (place, character) => {
      fc.pre(key[place] !== character);
      return !isApiKey(key.slice(0, place) + character + key.slice(place + 1));
    }),
    { numRuns: 500 },
  );
  for (const other of [
    "",
    "tdk_",
    key.slice(0, -1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
    key.replace(apiKeyPrefix, "ghp_"),
    "eyJhbGciOi",
  ])
    expect(isApiKey(other)).toBe(false);
});

test("only a hash and parts of a key are stored", async () => {
  const key = makeApiKey(() => new Uint8Array(60));
  expect(partsOfApiKey(key)).toEqual({ start: "tdk_0000", last4: key.slice(-4) });
  expect(await hashOfApiKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
