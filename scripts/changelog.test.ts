import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("CHANGELOG.md equals the export of the workspace's published posts, and the stored export has no names or drafts", () => {
  expect(() => execFileSync(process.execPath, ["scripts/changelog.ts", "--check"], { stdio: "pipe" })).not.toThrow();
  const kept = JSON.parse(readFileSync("docs/changelog/workspace.json", "utf8")) as { posts: Record<string, unknown>[] };
  expect(kept.posts.length).toBeGreaterThan(0);
  expect(new Set(kept.posts.flatMap((post) => Object.keys(post)))).toEqual(
    new Set(["title", "slug", "tags", "published_at", "content_raw"]),
  );
  expect(readFileSync("docs/changelog/workspace.json", "utf8")).not.toMatch(/[\w.]+@[\w.]+/);
});

test("CHANGELOG.md has notes for the product's version", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(readFileSync("CHANGELOG.md", "utf8")).toContain(`## [Tidings ${version}: `);
});
