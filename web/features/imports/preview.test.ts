import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chosenPosts, dayOf, type SourcePost, leftOutOf, matching, previewFacts, shortAddress, statesOf } from "./preview.ts";

const found = (title: string, changes: Partial<SourcePost["post"]> = {}, more: Partial<SourcePost> = {}): SourcePost => ({
  post: { external_id: title, fingerprint: "0".repeat(64), title, summary: null, blocks: [], tags: [], status: "published", ...changes },
  ...{ losses: [], images: [], problem: null, state: "new", postId: null, version: null },
  ...more,
});

describe("preview filter", () => {
  const posts = [
    found("Dark mode", { tags: ["Added"], slug: "dark" }),
    found("Faster exports", { old_urls: ["https://blog.acme.example/Exports"] }, { state: "there" }),
  ];
  test.each([
    ["", "any", [0, 1]],
    ["MODE dark", "any", [0]],
    ["added", "any", [0]],
    ["acme.example/exports", "any", [1]],
    ["", "there", [1]],
    ["dark", "there", []],
  ] as const)("by %j and state %s", (words, state, places) => {
    expect(matching(posts, words, state)).toEqual(places);
  });

  test("counts states in display order", () => {
    expect(statesOf([...posts, posts[0]!])).toEqual([
      ["new", 2],
      ["there", 1],
    ]);
  });
});

describe("chosenPosts", () => {
  const old = found("old", { published_at: "2020-01-01T00:00:00.000Z", tags: ["x"] });
  const late = found("late", { published_at: "2026-01-01T00:00:00.000Z" }, { version: 3 });
  const put = found("put away", { status: "archived", published_at: "2021-01-01T00:00:00.000Z" });
  const draft = found("draft", { status: "draft" });
  const preview = {
    found: {
      source: "feed" as const,
      name: "",
      isNamed: true,
      wantsAddress: false,
      notes: [],
      leftOut: [],
      pictures: new Map(),
      posts: [draft, late, put, old],
    },
    ...{ ticked: new Set([3, 0, 1, 2]), tags: new Map([["x", { kind: "key", key: "fix" } as const]]), dates: "original" as const },
  };

  test("are sorted oldest first, with tag keys and replaced versions", () => {
    const sent = chosenPosts(preview, new Map()).map(({ post }) => post);
    expect(sent.map(({ title }) => title)).toEqual(["old", "put away", "late", "draft"]);
    expect(sent.map(({ replaces }) => replaces)).toEqual([null, null, 3, null]);
    expect(sent[0]).toMatchObject({ tags: ["fix"], status: "published", published_at: "2020-01-01T00:00:00.000Z" });
  });

  test("become drafts on request, except archived and existing posts", () => {
    const sent = chosenPosts({ ...preview, dates: "drafts" }, new Map()).map(({ post }) => post);
    expect(Object.fromEntries(sent.map(({ title, status, published_at }) => [title, [status, published_at !== null]]))).toMatchObject({
      old: ["draft", false],
      late: ["published", true],
      "put away": ["archived", true],
    });
  });

  test("list left-out content of selected posts once, up to a limit", () => {
    const of = (title: string, ...siteSyntax: string[]) => found(title, {}, { siteSyntax });
    const posts = [of("a", "{{< tweet >}}", "{% gist %}"), of("b", "{% gist %}", ":::tabs"), of("c", ":::x", "{{< y >}}")];
    const leftOut = (...ticked: number[]) =>
      leftOutOf({ ...preview, found: { ...preview.found, leftOut: ["2 files"], posts }, ticked: new Set(ticked) });
    expect(leftOut(0, 1)).toEqual(["2 files", "{{< tweet >}}", "{% gist %}", ":::tabs"]);
    expect(leftOut(0, 1, 2)).toEqual(["2 files", "{{< tweet >}}", "{% gist %}", ":::tabs", "2 other shortcodes"]);
    expect(leftOutOf(preview)).toEqual([]);
  });

  test("include only selected posts", () => {
    expect(chosenPosts({ ...preview, ticked: new Set([1]) }, new Map())).toHaveLength(1);
  });
});

describe("dayOf", () => {
  const zone = process.env.TZ;
  beforeEach(() => (process.env.TZ = "America/Los_Angeles"));
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  test("returns the UTC day", () => {
    const midnight = "2020-01-05T00:00:00.000Z";
    expect(new Date(midnight).getDate()).toBe(4); // local time is still the day before
    expect(dayOf(midnight)).toBe("Jan 5, 2020");
  });
});

test.each([
  ["https://acme.example/news/a", "acme.example/news/a"],
  ["http://acme.example/a.invalid/b", "acme.example/a.invalid/b"],
  ["https://kite.invalid/releases/a", "/releases/a"],
])("shortAddress(%s) is %s", (url, shown) => expect(shortAddress(url)).toBe(shown));

describe("previewFacts", () => {
  const post = { external_id: "a", fingerprint: "0".repeat(64), title: "A", blocks: [] };
  const at = "2020-01-05T00:00:00.000Z";
  const published = { ...post, status: "published" as const, published_at: at };

  test.each([
    ["date and author", { ...published, author: "Ada" }, false, { published_at: at, author: "Ada" }],
    ["date without author", published, false, { published_at: at, author: null }],
    ["the scheduled date", { ...post, status: "scheduled" as const, publish_at: at }, false, { published_at: at, author: null }],
    ["the author of a draft", { ...published, author: "Ada" }, true, { author: "Ada" }],
  ])("returns %s", (_, imported, isDraft, facts) => {
    expect(previewFacts(imported, isDraft)).toEqual(facts);
  });
});
