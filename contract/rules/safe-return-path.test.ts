import { fc, test as property } from "../../tests/support/properties.ts";
import { describe, expect, test } from "vitest";
import { safeReturnPath } from "#contract/rules/safe-return-path.ts";

describe("the way back after signing in", () => {
  test.each([
    "/",
    "/workspaces",
    "/workspace/1/changelog/edit/2?tab=a&b=%2F%2Fx#top",
    "/join/complete?token=a.b-c",
    "/a//b",
    "/search?q=//evil.example",
    "/a:b@c",
  ])("allows %s", (path) => {
    expect(safeReturnPath(path)).toBe(path);
  });
  test("allows this page's own origin", () => {
    expect(safeReturnPath("https://app.example/join/complete?token=x", "https://app.example")).toBe("/join/complete?token=x");
    expect(safeReturnPath("https://app.example/x")).toBeNull();
    expect(safeReturnPath("https://app.example.evil.example/x", "https://app.example")).toBeNull();
    expect(safeReturnPath("https://app.example//evil.example", "https://app.example")).toBeNull();
    expect(safeReturnPath("https://app.example@evil.example/", "https://app.example")).toBeNull();
  });
  test.each([
    null,
    undefined,
    "",
    "workspaces",
    "https://evil.example",
    "http:/evil.example",
    "https:evil.example",
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r/evil.example",
    "\t//evil.example",
    " //evil.example",
    " /x",
    "/.//evil.example",
    "/..//evil.example",
    "/a/..//evil.example",
    "/./\\evil.example",
    "/%2e//evil.example",
    "/x\\..\\\\evil.example",
    "/\u0000/evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "@evil.example",
    ":80",
    "?x",
    "#x",
    `/${"a".repeat(3_000)}`,
  ])("rejects %j", (value) => {
    expect(safeReturnPath(value)).toBeNull();
  });
  property.prop([
    fc.oneof(
      fc.string(),
      fc
        .array(fc.constantFrom("/", "\\", ".", "..", "%2e", "%2f", "\t", "\n", " ", "evil.example", "@", ":", "?", "#", "a", "http:"), {
          maxLength: 8,
        })
        .map((parts) => `/${parts.join("")}`),
    ),
  ])("never leaves this origin, however it is followed", (value) => {
    const path = safeReturnPath(value);
    if (path !== null) expect(new URL(path, "https://app.example").origin).toBe("https://app.example");
  });
});
