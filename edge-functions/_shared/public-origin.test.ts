import { expect, test } from "vitest";
import { originBelow, originOf } from "./public-origin.ts";

test.each([
  ["https://tidings.example", null, "https://acme.tidings.example"],
  ["https://tidings.example:8443", undefined, "https://acme.tidings.example:8443"],
  ["https://tidings.example", "changelog.acme.example", "https://changelog.acme.example"],
  ["http://localhost:3000", "changelog.acme.example", "http://changelog.acme.example:3000"],
])("below %s, with the name %s, a page is at %s", (publicUrl, domain, origin) =>
  expect(originOf(publicUrl, { subdomain: "acme", domain })).toBe(origin),
);

test("permanent URLs are on our own host", () =>
  expect(originBelow("https://tidings.example:8443/", "acme")).toBe("https://acme.tidings.example:8443"));
