import { describe, expect, test } from "vitest";
import { defaultTags } from "#contract/tags.ts";
import { chosenPosts, leftOutOf } from "./chosen.ts";
import { type FoundPost, matching, statesOf } from "./found.ts";
import { inPieces, latestFirst, oldestFirst, pieceMaxBytes } from "./pieces.ts";
import { defaultMapping, mappedTags, newTags, sourceTags } from "./tag-mapping.ts";

const found = (title: string, changes: Partial<FoundPost["post"]> = {}, more: Partial<FoundPost> = {}): FoundPost => ({
  post: { external_id: title, fingerprint: "0".repeat(64), title, summary: null, blocks: [], tags: [], status: "published", ...changes },
  ...{ losses: [], images: [], problem: null, state: "new", postId: null, version: null },
  ...more,
});
const here = [...defaultTags, { key: "beta", label: "Beta programme", colour: "blue" as const }];

describe("tags of a source", () => {
  test.each([
    ["Feature", "feature"],
    ["fix", "fix"],
    ["Documentation", "docs"],
    ["Added", "feature"],
    ["Changed", "improvement"],
    [" bug fixes ", "fix"],
    ["Minor Changes", "feature"],
    ["Patch Changes", "fix"],
    ["BETA PROGRAMME", "beta"],
  ])("%s goes to %s", (name, key) => {
    expect(defaultMapping([name], here).get(name)).toEqual({ kind: "key", key });
  });

  test("others become new ones; not to a default tag that the workspace no longer has", () => {
    expect(defaultMapping(["Security"], here).get("Security")).toEqual({ kind: "new" });
    expect(defaultMapping(["Added"], []).get("Added")).toEqual({ kind: "new" });
  });

  test("are counted once a post, the most frequent first", () => {
    expect(sourceTags([found("a", { tags: ["x", "y", "x"] }), found("b", { tags: ["y"] })])).toEqual([
      ["y", 2],
      ["x", 1],
    ]);
  });

  test("make only the tags that a ticked post has, and each key once", () => {
    const mapping = new Map([
      ["x", { kind: "new" } as const],
      ["y", { kind: "new" } as const],
      ["z", { kind: "none" } as const],
      ["w", { kind: "key", key: "made-x" } as const],
    ]);
    expect(newTags([found("a", { tags: ["x", "z"] })], mapping)).toEqual(["x"]);
    expect(mappedTags(["z", "x", "w", "unknown"], mapping, new Map([["x", "made-x"]]))).toEqual(["made-x"]);
  });
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

  test("of the same moment stays in its order", () => {
    const at = "2020-01-01T00:00:00.000Z";
    const posts = ["a", "b", "c"].map((title) => ({ post: { title, published_at: at } }));
    expect(oldestFirst(posts)).toEqual(posts);
    expect(latestFirst(posts)).toEqual(posts);
  });

  test("is shown the other way round, what is no news yet first", () => {
    expect(latestFirst([old, draft, late, put]).map(({ post }) => post.title)).toEqual(["draft", "late", "put away", "old"]);
  });
});

describe("pieces", () => {
  test("have 25 posts at most", () => {
    expect([...inPieces(Array.from({ length: 60 }, (_, at) => at))].map(({ length }) => length)).toEqual([25, 25, 10]);
    expect([...inPieces([])]).toEqual([]);
  });

  test("stay below what a body may be, by bytes and not by characters", () => {
    const long = "é".repeat(pieceMaxBytes / 4);
    expect([...inPieces([long, long, long])].map(({ length }) => length)).toEqual([1, 1, 1]);
    expect([...inPieces(["a", "e".repeat(pieceMaxBytes + 10), "b"])].map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  test("stay below the values that a body may have", () => {
    const wide = Array.from({ length: 14_000 }, () => 1);
    expect([...inPieces([wide, wide, wide])].map(({ length }) => length)).toEqual([2, 1]);
  });
});
