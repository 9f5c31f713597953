import { expect, test } from "vitest";
import { adapterFor } from "../detect.ts";
import { changelog } from "../adapters/changelog.ts";
import { github } from "../adapters/github.ts";

const now = new Date("2026-06-01T12:00:00Z");
const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
const tagsOf = (text: string) => changelog.read([file("CHANGELOG.md", text)], { now }).entries.map(({ tags }) => tags);

test("Changesets' sections become tags", () => {
  const text =
    "# acme\n\n## 1.2.0\n\n### Minor Changes\n\n- a1b2c3: One\n\n### Patch Changes\n\n- Two\n\n## 1.1.0\n\n### Major Changes\n\n- Three\n";
  expect(tagsOf(text)).toEqual([["Minor Changes", "Patch Changes"], ["Major Changes"]]);
});

test("sections of GitHub's notes become tags, in files and releases", () => {
  const notes =
    "## What's Changed\n\n### Bug Fixes 🐛\n\n* One by @ada in #1\n\n### Exciting New Features 🎉\n\n* Two\n\n## New Contributors\n\n* @ada\n\n**Full Changelog**: https://github.com/acme/app/compare/v1...v2";
  const tags = ["What's Changed", "Bug Fixes", "Exciting New Features", "New Contributors"];
  expect(tagsOf(`# Changelog\n\n# v2.0.0\n\n${notes}\n`)).toEqual([tags]);
  const releases = JSON.stringify([
    { tag_name: "v2", html_url: "https://github.com/acme/app/releases/tag/v2", body: notes, prerelease: true },
  ]);
  expect(github.read([file("releases.json", releases)], { now }).entries.map((entry) => entry.tags)).toEqual([["Prerelease", ...tags]]);
});

test.each([
  [
    "2026-01-31-changelog-page.md",
    "---\ntitle: A changelog page\ndate: 2026-01-31\n---\n\n## 1.0 is out\n\nWords.\n\n## 1.1 too\n\nMore.\n",
  ],
  ["changelog.md", "---\ntitle: News\n---\n\nWords.\n"],
  ["changelog.md", '+++\ntitle = "News"\n+++\n\nWords.\n'],
])("a post with front matter is read as one post, though it is called %s", (name, text) => {
  const files = [file(name, text)];
  const adapter = adapterFor(files)!;
  expect(adapter.source).toBe("markdown");
  expect(adapter.read(files, { now }).entries).toHaveLength(1);
});

test.each([
  [["1.0.0"], "changelog.md", "---\n\n## 1.0.0 - 2026-01-31\n\nWords.\n"],
  [["1.1.0", "1.0.0"], "history.md", "---\ntitle: History\npermalink: /history/\n---\n\n## 1.1.0\n\nWords.\n\n## 1.0.0\n\nWords.\n"],
])("a file of the releases %s is read as a changelog: %s", (versions, name, text) => {
  expect(adapterFor([file(name, text)])?.source).toBe("changelog");
  expect(changelog.read([file(name, text)], { now }).entries.map(({ title }) => title)).toEqual(versions);
});
