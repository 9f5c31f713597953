import { expect, test } from "vitest";
import { changelog } from "./adapters/changelog.ts";
import type { Adapter } from "./entry.ts";
import { feed } from "./adapters/feed.ts";
import { github } from "./adapters/github.ts";
import { markdown } from "./adapters/markdown.ts";

const now = new Date("2026-06-01T12:00:00Z");
const releases = "## 1.0.0 - 2024-01-02\n\n- It flies";
const release = (html_url?: string) =>
  JSON.stringify([{ tag_name: "v1.0.0", name: "1.0", body: "b", published_at: "2024-01-02", html_url }]);
const acme = "https://github.com/acme/rocket";

const named: readonly [string, Adapter, readonly [string, string][], string?][] = [
  ["a changelog with its product's name", changelog, [["CHANGELOG.md", `# Rocket changelog\n\n${releases}`]]],
  ["a changelog with its repository", changelog, [["CHANGELOG.md", `# Changelog\n\n${releases}\n\n[1.0.0]: ${acme}/releases/tag/v1.0.0`]]],
  ["releases with their addresses", github, [["a.json", release(`${acme}/releases/tag/v1.0.0`)]]],
  ["releases of an address", github, [["a.json", release()]], acme],
  ["a page of Notion", markdown, [["Plans 0123456789abcdef0123456789abcdef.md", "# Plans\n\nWords."]]],
  ["our own Markdown", markdown, [["a.md", "---\nexternal_id: tidings:1\n---\nWords."]]],
  [
    "a feed",
    feed,
    [["a.xml", `<rss version="2.0"><channel><title>A</title><item><title>B</title><link>${acme}</link></item></channel></rss>`]],
  ],
];
const nameless: typeof named = [
  ["an unnamed changelog", changelog, [["CHANGELOG.md", `# Changelog\n\n${releases}`]]],
  [
    "two changelogs, one unnamed",
    changelog,
    [
      ["one.md", `# Rocket changelog\n\n${releases}`],
      ["two.md", `# Changelog\n\n${releases}`],
    ],
  ],
  ["unnamed releases", github, [["a.json", release()]]],
  ["a Markdown file", markdown, [["a.md", "# A\n\nWords."]]],
];
const isNamed = (adapter: Adapter, files: readonly [string, string][], address?: string): boolean =>
  adapter.read(
    files.map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) })),
    { now, ...(address === undefined ? {} : { address }) },
  ).isNamed;

test.each(named)("%s names the product", (_name, adapter, files, address) => expect(isNamed(adapter, files, address)).toBe(true));
test.each(nameless)("%s doesn't name the product", (_name, adapter, files) => expect(isNamed(adapter, files)).toBe(false));
