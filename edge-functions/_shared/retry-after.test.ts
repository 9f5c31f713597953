import { describe, expect, test } from "vitest";
import { secondsOfRetryAfter } from "./retry-after.ts";

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();

describe("Retry-After", () => {
  test.each([
    ["30", 30],
    [" 30 ", 30],
    ["1.5", 2],
    ["0.001", 1],
    ["86400", 86_400],
    ["31536000", 86_400],
    ["999999999", 86_400],
    ["0", undefined],
    ["-5", undefined],
    ["1e3", undefined],
    ["9".repeat(400), undefined],
    ["soon", undefined],
    ["", undefined],
    ["Wed, 21 Oct 2015 07:28:00 GMT", undefined],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 86_400],
    [null, undefined],
    [undefined, undefined],
  ])("%j asks for %j seconds", (header, seconds) => {
    expect(secondsOfRetryAfter(header)).toBe(seconds);
  });

  test("a date counts from now", () => {
    const seconds = secondsOfRetryAfter(inSeconds(90));
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThanOrEqual(90);
  });
});
