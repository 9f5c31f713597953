import { expect, test } from "vitest";
import { pageHeaders } from "./page-headers.ts";

const policyOf = (captcha: boolean, analyticsSrc: string | null) => pageHeaders({ captcha, analyticsSrc })["content-security-policy"];

test("the app's pages run only their own scripts and can't be framed", () => {
  expect(policyOf(false, null)).toContain("script-src 'self';");
  expect(policyOf(false, null)).toContain("frame-ancestors 'none'");
});

test("captcha and analytics are allowed only if configured", () => {
  expect(policyOf(true, "https://stats.example/script.js")).toContain(
    "script-src 'self' https://challenges.cloudflare.com https://stats.example;",
  );
});
