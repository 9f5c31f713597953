import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { oneLevelDown } from "./markdown-levels.ts";

test("CHANGELOG.md matches the workspace's published posts, and the stored export has no names or drafts", () => {
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
  expect(readFileSync("CHANGELOG.md", "utf8")).toContain(`## Tidings ${version}`);
});

test("headings of a post move below its title, and code does not change", () => {
  const code = "# npm ci\n```\n## not a heading";
  const blocks = [
    { type: "header", data: { text: "Before", level: 2 } },
    { type: "code", data: { code } },
    { type: "header", data: { text: "After", level: 3 } },
  ];
  const markdown = oneLevelDown(blocksToMarkdown(cleanBlocks(blocks)));
  expect(markdown).toBe(`### Before\n\n\`\`\`\`\n${code}\n\`\`\`\`\n\n#### After`);
});
