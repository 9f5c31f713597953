import { describe, expect, test } from "vitest";
import { afterSignIn } from "./after-sign-in.ts";

const origin = "https://tidings.example";
const go = (query: Record<string, string>, workspaceId: string | null = null) =>
  afterSignIn(new URLSearchParams(query), workspaceId, origin);

describe("afterSignIn", () => {
  test.each([
    ["/join/complete?token=abc", "/join/complete?token=abc"],
    ["/join/complete?token=abc&x=1#y", "/join/complete?token=abc&x=1"],
    ["/workspaces?tab=2", "/workspaces"],
    [`${origin}/join/complete?token=abc`, "/join/complete?token=abc"],
    ["%2Fjoin%2Fcomplete%3Ftoken%3Dabc", "/join/complete?token=abc"],
  ])("resolves returnUrl %s to %s", (returnUrl, path) => expect(go({ returnUrl }, "w")).toBe(path));

  test.each([
    "//evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "https:evil.example",
    "https://evil.example/",
    "%2f%2fevil.example",
    "/%09/evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "@evil.example",
    `${origin}@evil.example/`,
    "https://tidings.example.evil.example/",
    "/.//evil.example",
    "evil.example",
    "%",
    "",
  ])("keeps %j on this origin", (address) => {
    const path = go({ returnUrl: address });
    if (path !== null) expect(new URL(path, origin).origin).toBe(origin);
    expect(path === null || /^\/(?![/\\])/.test(path)).toBe(true);
    expect(new URL(go({ redirectTo: address }) ?? "/", origin).origin).toBe(origin);
  });

  test("keeps the whole redirectTo", () => {
    expect(go({ redirectTo: "/workspace/a/dashboard?x=1#y" }, "w")).toBe("/workspace/a/dashboard?x=1#y");
  });
  test("defaults to the workspace's dashboard, or the list", () => {
    expect(go({}, "w")).toBe("/workspace/w/dashboard");
    expect(go({})).toBe("/workspaces");
    expect(go({ redirectTo: "//evil.example" })).toBe("/workspaces");
  });
});
