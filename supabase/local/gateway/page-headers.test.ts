import { expect, test } from "vitest";
import { pageHeaders } from "./page-headers.ts";

const policyOf = (captcha: boolean, analyticsSrc: string | null) => pageHeaders({ captcha, analyticsSrc })["content-security-policy"];

test("the app's pages run scripts of this origin only and stand in nobody's frame", () => {
  expect(policyOf(false, null)).toContain("script-src 'self';");
  expect(policyOf(false, null)).toContain("frame-ancestors 'none'");
});

test("a captcha and analytics are let in only where they are turned on", () => {
  expect(policyOf(true, "https://stats.example/script.js")).toContain(
    "script-src 'self' https://challenges.cloudflare.com https://stats.example;",
  );
});
