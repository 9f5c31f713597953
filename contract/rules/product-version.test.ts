import { describe, expect, test } from "vitest";
import semver from "semver";
import { fc, test as property } from "../../tests/support/properties.ts";
import { compareProductVersions, parseVersion } from "./product-version.ts";

describe("parseVersion", () => {
  test.each(["1", "1.12", "1.12.0", "2026.11", "24.04.1", "1.2.3.4", "1.0.0-rc.1", "1.0.0-x-y+build.5"])("accepts %s", (text) => {
    expect(parseVersion(text)).not.toBeNull();
  });

  test.each([
    "",
    "latest",
    "v1.0.0",
    "1.",
    ".1",
    "1..2",
    "1.2.3.4.5",
    "1.0.0-",
    "1.0.0-a..b",
    " 1.0.0",
    "1.0.0\n",
    "-1",
    `1.${"9".repeat(16)}`,
  ])("rejects %j", (text) => {
    expect(parseVersion(text)).toBeNull();
  });
});

const number = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 10 ** 15 - 1 }));
const identifier = fc.oneof(number.map(String), fc.stringMatching(/^[0-9A-Za-z-]{1,4}$/)).filter((text) => !/^0\d+$/.test(text));
const version = fc
  .tuple(number, number, number, fc.array(identifier, { maxLength: 4 }), fc.array(identifier, { maxLength: 2 }))
  .map(([major, minor, patch, before, build]) =>
    [`${major}.${minor}.${patch}`, before.length > 0 ? `-${before.join(".")}` : "", build.length > 0 ? `+${build.join(".")}` : ""].join(""),
  );
/** Pairs that differ late are found seldom by chance. */
const pair = fc.oneof(
  fc.tuple(version, version),
  fc
    .tuple(version, fc.array(identifier, { minLength: 1, maxLength: 3 }), fc.array(identifier, { maxLength: 3 }))
    .map(([base, one, other]) => {
      const [numbers] = base.split(/[-+]/);
      return [`${numbers}-${one.join(".")}`, other.length > 0 ? `${numbers}-${other.join(".")}` : numbers!] as [string, string];
    }),
);

describe("compareProductVersions", () => {
  property.prop([pair], { numRuns: 100_000 })("orders semantic versions as node-semver", ([one, other]) => {
    expect(Math.sign(compareProductVersions(one, other))).toBe(semver.compare(one, other));
  });

  test.each([
    ["2026.9", "2026.11"],
    ["24.04", "24.10"],
    ["1.2", "1.2.1"],
    ["1.2.3", "1.2.3.1"],
    ["1.2.0-rc.1", "1.2"],
  ])("orders %s before %s", (older, newer) => {
    expect(compareProductVersions(older, newer)).toBeLessThan(0);
    expect(compareProductVersions(newer, older)).toBeGreaterThan(0);
  });

  test("treats missing numbers as 0", () => expect(compareProductVersions("1.2", "1.2.0")).toBe(0));
});
