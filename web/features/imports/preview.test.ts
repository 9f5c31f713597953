import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chosenPosts, dayOf, type FoundPost, leftOutOf, matching, previewFacts, shortAddress, statesOf } from "./preview.ts";

const found = (title: string, changes: Partial<FoundPost["post"]> = {}, more: Partial<FoundPost> = {}): FoundPost => ({
  post: { external_id: title, fingerprint: "0".repeat(64), title, summary: null, blocks: [], tags: [], status: "published", ...changes },
  ...{ losses: [], images: [], problem: null, state: "new", postId: null, version: null },
  ...more,
});

describe("what is found", () => {
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

  test("its states are counted in the order of their words", () => {
    expect(statesOf([...posts, posts[0]!])).toEqual([
      ["new", 2],
      ["there", 1],
    ]);
  });
});

describe("what is sent", () => {
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

  test("comes oldest first, with its tags' keys and the version it takes the place of", () => {
    const sent = chosenPosts(preview, new Map()).map(({ post }) => post);
    expect(sent.map(({ title }) => title)).toEqual(["old", "put away", "late", "draft"]);
    expect(sent.map(({ replaces }) => replaces)).toEqual([null, null, 3, null]);
    expect(sent[0]).toMatchObject({ tags: ["fix"], status: "published", published_at: "2020-01-01T00:00:00.000Z" });
  });

  test("comes as drafts where that is wished, but for what was put away and what is here already", () => {
    const sent = chosenPosts({ ...preview, dates: "drafts" }, new Map()).map(({ post }) => post);
    expect(Object.fromEntries(sent.map(({ title, status, published_at }) => [title, [status, published_at !== null]]))).toMatchObject({
      old: ["draft", false],
      late: ["published", true],
      "put away": ["archived", true],
    });
  });

  test("leaves out what its end tells, of the ticked posts alone: each name once, and not too many", () => {
    const of = (title: string, ...siteSyntax: string[]) => found(title, {}, { siteSyntax });
    const posts = [of("a", "{{< tweet >}}", "{% gist %}"), of("b", "{% gist %}", ":::tabs"), of("c", ":::x", "{{< y >}}")];
    const leftOut = (...ticked: number[]) =>
      leftOutOf({ ...preview, found: { ...preview.found, leftOut: ["2 files"], posts }, ticked: new Set(ticked) });
    expect(leftOut(0, 1)).toEqual(["2 files", "{{< tweet >}}", "{% gist %}", ":::tabs"]);
    expect(leftOut(0, 1, 2)).toEqual(["2 files", "{{< tweet >}}", "{% gist %}", ":::tabs", "2 other shortcodes"]);
    expect(leftOutOf(preview)).toEqual([]);
  });

  test("is only what was ticked", () => {
    expect(chosenPosts({ ...preview, ticked: new Set([1]) }, new Map())).toHaveLength(1);
  });
});

describe("a day", () => {
  const zone = process.env.TZ;
  beforeEach(() => (process.env.TZ = "America/Los_Angeles"));
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  test("is the same west of Greenwich", () => {
    const midnight = "2020-01-05T00:00:00.000Z";
    expect(new Date(midnight).getDate()).toBe(4); // where it is read it is still the day before
    expect(dayOf(midnight)).toBe("Jan 5, 2020");
  });
});

test.each([
  ["https://acme.example/news/a", "acme.example/news/a"],
  ["http://acme.example/a.invalid/b", "acme.example/a.invalid/b"],
  ["https://kite.invalid/releases/a", "/releases/a"],
])("%s is shown as %s", (url, shown) => expect(shortAddress(url)).toBe(shown));

describe("the preview", () => {
  const post = { external_id: "a", fingerprint: "0".repeat(64), title: "A", blocks: [] };
  const at = "2020-01-05T00:00:00.000Z";
  const published = { ...post, status: "published" as const, published_at: at };

  test.each([
    ["its day and author", { ...published, author: "Ada" }, false, { published_at: at, author: "Ada" }],
    ["its day, by nobody", published, false, { published_at: at, author: null }],
    ["when it will be published", { ...post, status: "scheduled" as const, publish_at: at }, false, { published_at: at, author: null }],
    ["its author alone, where it comes as a draft", { ...published, author: "Ada" }, true, { author: "Ada" }],
  ])("says %s", (_, imported, isDraft, facts) => {
    expect(previewFacts(imported, isDraft)).toEqual(facts);
  });
});
