import { crc32 as zlibCrc32 } from "node:zlib";
import { expect, test } from "vitest";
import { fc } from "../../tests/support/properties.ts";
import { crc32 } from "./crc32.ts";

test("crc32 has the check value of its catalogue entry and agrees with zlib", () => {
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  fc.assert(fc.property(fc.uint8Array(), (bytes) => crc32(bytes) === zlibCrc32(bytes)));
});
