import { describe, expect, test } from "vitest";
import { siteOrigin, website } from "../workspaces.ts";
import { withScheme } from "./website.ts";

describe("an address without a scheme", () => {
  test.each([
    ["acme.example", "https://acme.example"],
    ["  www.acme.example/news?a=b ", "https://www.acme.example/news?a=b"],
    ["acme.example:8443", "https://acme.example:8443"],
    ["//acme.example", "https://acme.example"],
    ["bücher.example", "https://bücher.example"],
    ["localhost:3000", "http://localhost:3000"],
    ["127.0.0.1", "http://127.0.0.1"],
  ])("%j is completed", (typed, meant) => expect(withScheme(typed)).toBe(meant));

  test.each([
    "https://acme.example",
    "http://acme.example",
    "HTTP://acme.example",
    "ftp://acme.example",
    "javascript:alert(1)",
    "javascript:alert.example",
    "mailto:ada@acme.example",
    "ada@acme.example",
    "acme",
    "a b.example c",
    "",
  ])("%j stays as it is", (typed) => expect(withScheme(typed)).toBe(typed));
});

test("website and site URLs are completed before validation, with unchanged messages", () => {
  expect(website.parse("Acme.example")).toBe("https://Acme.example");
  expect(website.safeParse("acme").error?.issues[0]?.message).toBe("Please enter a valid URL (e.g., https://example.com)");
  expect(website.safeParse("ftp://acme.example").error?.issues[0]?.message).toBe("Please enter a valid URL (e.g., https://example.com)");
  expect(website.safeParse("  ").error?.issues[0]?.message).toBe("Website URL is required");
  expect(siteOrigin.parse("Shop.Acme.example")).toBe("https://shop.acme.example");
  expect(siteOrigin.parse("localhost:5173")).toBe("http://localhost:5173");
  expect(siteOrigin.safeParse("shop").success).toBe(false);
});
