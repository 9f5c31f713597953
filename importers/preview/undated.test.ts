import { describe, expect, test } from "vitest";
import type { PreparedPost } from "../entry.ts";
import { releaseDates, repositoryOf, spreadDates, undatedPlaces, withDate } from "./undated.ts";

const undated = "It has no date, so it's imported as a draft";
const found = (name: string, changes: Partial<PreparedPost> = {}): PreparedPost => ({
  post: {
    ...{ external_id: `changelog:${name}`, fingerprint: "0".repeat(64), title: name, summary: null, blocks: [], tags: [] },
    status: "draft",
    published_at: null,
  },
  ...{ losses: ["A video is a link now", undated], undated, images: [], problem: null },
  ...changes,
});
const { undated: _, ...dated } = found("1.5.0");
const now = new Date("2026-06-01T12:00:00Z");

test("a post gets the given date and is published, or is a draft again without it", () => {
  const given = withDate(found("1.0.0"), "2020-01-05T00:00:00.000Z");
  expect(given).toMatchObject({
    post: { status: "published", published_at: "2020-01-05T00:00:00.000Z" },
    losses: ["A video is a link now"],
  });
  expect(withDate(given, undefined)).toEqual(found("1.0.0"));
  expect(withDate(dated, "2020-01-05T00:00:00.000Z")).toBe(dated);
});

describe("dates over a period", () => {
  const days = (names: string[], from: string, to: string) => {
    const posts = names.map((name) => found(name));
    return undatedPlaces(posts).map((place) => spreadDates(posts, from, to, now).get(place));
  };
  test("ascend with versions, in either file order", () => {
    const rising = ["2020-01-01T00:00:00.000Z", "2020-01-02T00:00:01.000Z", "2020-01-03T00:00:02.000Z"];
    expect(days(["1.9.0", "1.10.0", "1.11.0"], "2020-01-01", "2020-01-03")).toEqual(rising);
    expect(days(["1.11.0", "1.10.0", "1.9.0"], "2020-01-01", "2020-01-03")).toEqual(rising.toReversed());
  });
  test("keep the file's order within a day", () => {
    expect(days(["1.1.0", "1.0.0"], "2020-01-01", "2020-01-01")).toEqual(["2020-01-01T00:00:01.000Z", "2020-01-01T00:00:00.000Z"]);
  });
  test("are never in the future", () => {
    expect(days(["1.0.0"], "2026-06-02", "2026-06-02")).toEqual([now.toISOString()]);
  });
  test("skip dated posts", () => {
    const posts = [found("1.1.0"), dated, found("1.0.0")];
    expect([...spreadDates(posts, "2020-01-01", "2020-01-03", now).keys()]).toEqual([2, 0]);
  });
});

test("the repository is the source's name, or the one its posts link to", () => {
  const linking = found("1.0.0");
  linking.post.blocks = [{ type: "paragraph", data: { text: '<a href="https://github.com/acme/rocket/pull/1">#1</a>' } }];
  expect(repositoryOf("acme/other", [linking])).toBe("acme/other");
  expect(repositoryOf("CHANGELOG.md", [found("1.1.0"), linking])).toBe("acme/rocket");
  expect(repositoryOf("rocket", [found("1.1.0"), dated])).toBe("");
});

describe("dates of GitHub's releases", () => {
  const day = "2020-01-05T09:00:00.000Z";
  test.each<[string, string, string[], boolean]>([
    ["of its version", "1.2.0", ["v1.2.0"], true],
    ["of its version in a named file", "acme/rocket@1.2.0", ["1.2.0"], true],
    ["of its package", "rocket@1.2.0", ["other@1.2.0", "rocket@1.2.0"], true],
    ["of its scoped package", "@acme/rocket@1.2.0", ["@acme/rocket@1.2.0", "@acme/other@1.2.0"], true],
    ["of the repository's name", "acme/rocket@1.2.0", ["rocket-v1.2.0", "other-v1.2.0"], true],
    ["of the only package", "1.2.0", ["release-1.2.0", "release-1.1.0"], true],
    ["of another package", "rocket@1.2.0", ["other@1.2.0", "third@1.2.0"], false],
    ["of a package without a name", "1.2.0", ["other@1.2.0", "third@1.2.0"], false],
    ["of another version", "1.2.0", ["v1.2.1", "v11.2.0", "nightly"], false],
    ["of a pre-release", "1.2.0-beta.1", ["v1.2.0", "v1.2.0-beta.1"], true],
  ])("%s", (_name, name, tags, isFound) => {
    const releases = tags.map((tag) => ({ external_id: `github:acme/rocket@${tag}`, published_at: day }));
    expect(releaseDates([found(name)], releases).get(0)).toBe(isFound ? day : undefined);
  });
  test("drafts have no date", () => {
    expect(releaseDates([found("1.2.0")], [{ external_id: "github:a/b@1.2.0", published_at: null }]).size).toBe(0);
  });
});
