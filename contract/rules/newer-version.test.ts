import { expect, test } from "vitest";
import { isNewerVersion } from "./newer-version.ts";

test.each([
  ["0.2.0", "0.1.9", true],
  ["1.10.0", "1.9.0", true],
  ["1.0.1", "1.0.0", true],
  ["1.0.0", "1.0.0", false],
  ["0.9.9", "1.0.0", false],
  ["1.9.0", "1.10.0", false],
])("%s comes after %s: %s", (version, than, expected) => {
  expect(isNewerVersion(version, than)).toBe(expected);
});
