import { expect, test } from "vitest";
import { bytesOf } from "./config.ts";

test.each([
  ["5MiB", 5_242_880],
  ["2 MiB", 2_097_152],
  ["500KB", 500_000],
  ["1.5kib", 1_536],
  [1024, 1_024],
])("bytesOf parses %s as %i bytes", (size, bytes) => expect(bytesOf(size)).toBe(bytes));

test("bytesOf rejects an invalid size", () => expect(() => bytesOf("large")).toThrow());
