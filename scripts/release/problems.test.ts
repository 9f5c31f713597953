import { describe, expect, test } from "vitest";
import { releaseProblems, type ReleaseState } from "./problems.ts";

const ready: ReleaseState = {
  branch: "main",
  changes: [],
  tags: ["v0.1.0"],
  current: "0.9.10",
  changelog: "# Changelog\n\n## [Tidings 0.10.0: more] - 2026-11-28\n\n## [Tidings 1.0.0] - 2026-11-28\n",
  head: "a".repeat(40),
};

describe("releaseProblems", () => {
  test("finds none for a newer version with notes, on a clean main", () => {
    expect(releaseProblems("0.10.0", ready)).toEqual([]);
    expect(releaseProblems("1.0.0", { ...ready, tested: ready.head })).toEqual([]);
  });

  test.each<[string, Partial<ReleaseState>, RegExp]>([
    ["another branch", { branch: "feature" }, /from main, not from feature/],
    ["a detached commit", { branch: "" }, /not from a detached commit/],
    ["changed files", { changes: [" M README.md"] }, /Commit or remove what has changed:\n M README\.md/],
    ["the same version", { current: "0.10.0" }, /0\.10\.0 isn't newer than 0\.10\.0/],
    ["an older version", { current: "0.10.1" }, /isn't newer than 0\.10\.1/],
    ["an existing tag", { tags: ["v0.10.0"] }, /The tag v0\.10\.0 exists/],
    ["a changelog without its section", { changelog: "## [Tidings 0.10.01]\n" }, /no section "## \[Tidings 0\.10\.0\]"/],
    ["tests of another commit", { tested: "b".repeat(40) }, /--tested must name the last commit, aaaaaaaaaaaa/],
    ["tests of no commit", { tested: null }, /--tested must name the last commit/],
  ])("refuses %s", (_, change, sentence) => {
    const problems = releaseProblems("0.10.0", { ...ready, ...change });
    expect(problems).toEqual([expect.stringMatching(sentence)]);
  });

  test.each(["v1.0.0", "1.0", "1.0.0-rc.1", "01.0.0", ""])("refuses %j as a version", (next) => {
    expect(releaseProblems(next, ready)).toEqual([`"${next}" isn't a version such as 1.4.2.`]);
  });
});
