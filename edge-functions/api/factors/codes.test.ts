import { expect, test } from "vitest";
import { hashOfRecoveryCode, newRecoveryCodes, newSecret, stepOf, uriOf } from "./codes.ts";

/** RFC 6238, appendix B, SHA-1: the last six of eight digits. */
const rfcSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at %i s the code of RFC 6238 is %s", (seconds, code) => {
  expect(stepOf(rfcSecret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
});

test.each([
  [-90, null],
  [-30, 0],
  [0, 0],
  [30, 0],
  [90, null],
])("a clock that is %i s off", (off, shift) => {
  const step = Math.floor(1_111_111_109 / 30);
  expect(stepOf(rfcSecret, "081804", (1_111_111_109 + off) * 1_000)).toBe(shift === null ? null : step + shift);
});

test.each(["", "08180", "0818040", "abcdef", "０８１８０４"])("%j isn't a code", (code) => {
  expect(stepOf(rfcSecret, code, 1_111_111_109_000)).toBeNull();
});

test("secrets have 160 bits, recovery codes 80, and all differ", async () => {
  expect(newSecret()).toMatch(/^[A-Z2-7]{32}$/);
  const codes = newRecoveryCodes();
  expect(new Set([...codes, ...newRecoveryCodes()]).size).toBe(20);
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  expect(await hashOfRecoveryCode(codes[0]!)).toBe(await hashOfRecoveryCode(codes[0]!.replaceAll("-", "")));
});

test("the QR code names Tidings and the account", () => {
  expect(uriOf(rfcSecret, "ada@example.com")).toBe(
    `otpauth://totp/Tidings:ada%40example.com?issuer=Tidings&secret=${rfcSecret}&algorithm=SHA1&digits=6&period=30`,
  );
});
