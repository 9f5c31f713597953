import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pageHeaders } from "./page-headers.ts";

const policyOf = (captcha: boolean, analyticsSrc: string | null) => pageHeaders({ captcha, analyticsSrc })["content-security-policy"];

test("the app's pages run only their own scripts and can't be framed", () => {
  const [, script = ""] = /<script>(.*?)<\/script>/s.exec(readFileSync("web/index.html", "utf8")) ?? [];
  const hash = createHash("sha256").update(script).digest("base64");
  expect(policyOf(false, null)).toContain(`script-src 'self' 'sha256-${hash}';`);
  expect(policyOf(false, null)).toContain("frame-ancestors 'none'");
});

test("captcha and analytics are allowed only if configured", () => {
  expect(policyOf(true, "https://stats.example/script.js")).toMatch(
    /script-src 'self' 'sha256-[^']+' https:\/\/challenges\.cloudflare\.com https:\/\/stats\.example;/,
  );
});
