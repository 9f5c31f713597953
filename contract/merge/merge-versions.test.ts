import { noDetails } from "#contract/rules/post-details.ts";
import { describe, expect, test } from "vitest";
import type { Block } from "#contract/blocks/block-types.ts";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { compareVersions } from "./compare.ts";
import { choiceOf, mergeVersions, settle, undecided } from "./merge-versions.ts";
import type { Choices, Merge } from "./types.ts";
import type { PostContent } from "../rules/post-content.ts";
import { piecesOfInline } from "./merge-text.ts";

const cleaned = (type: string, id: string, data: object): Block => cleanBlocks([{ id, type, data }]).blocks[0]!;
const p = (id: string, text = id): Block => cleaned("paragraph", id, { text });
const version = (blocks: readonly Block[], fields: Partial<PostContent> = {}): PostContent => ({
  title: "Title",
  summary: "",
  cover_image: null,
  details: noDetails,
  tags: [],
  blocks,
  ...fields,
});
const merged = (base: Block[], mine: Block[], theirs: Block[]): Merge => mergeVersions(version(base), version(mine), version(theirs));
const order = ({ blocks }: Merge): string =>
  blocks.map((one) => ("collision" in one ? one.collision.id.toUpperCase() : one.block.id)).join("");
const blocksOf = (ids: string): Block[] => [...ids].map((id) => p(id));
const one = (base: Block, mine: Block, theirs: Block): Block["data"] | null => {
  const [place] = merged([base], [mine], [theirs]).blocks;
  return place && "block" in place ? place.block.data : null;
};

describe("the order of the blocks", () => {
  test.each([
    ["both add at different places", "abc", "axbc", "abyc", "axbyc"],
    ["both add at one place: theirs first", "ab", "axb", "ayb", "ayxb"],
    ["both add several at one place", "ab", "axzb", "ayb", "ayxzb"],
    ["both add at the end", "a", "ax", "ay", "ayx"],
    ["both add to an empty text", "", "x", "y", "yx"],
    ["one deletes, the other adds beside it", "abc", "ac", "abyc", "ayc"],
    ["both delete", "abcd", "bcd", "abc", "bc"],
    ["one moves, the other adds", "abcd", "dabc", "abcxd", "dabcx"],
    ["both move alike", "abcd", "dabc", "dabc", "dabc"],
    ["both move another one", "abcdef", "bacdef", "abcdfe", "bacdfe"],
    ["a section that was moved takes what was written in it along", "abcdefg", "defgabc", "abxcdefg", "defgabxc"],
    ["deleted here and only moved there", "abc", "ac", "bac", "ac"],
  ])("%s", (_, base, mine, theirs, expected) => {
    const merge = merged(blocksOf(base), blocksOf(mine), blocksOf(theirs));
    expect(order(merge)).toBe(expected);
    expect(merge.counts.collisions).toBe(0);
  });

  test("moved by both to different places: mine wins and is flagged", () => {
    const merge = merged(blocksOf("abcde"), blocksOf("cabde"), blocksOf("abdec"));
    expect(order(merge)).toBe("cabde");
    expect(merge.blocks[0]).toEqual({ origin: "both", block: p("c"), moved: true });
  });

  test("moved here and rewritten there: both apply", () => {
    const merge = merged(blocksOf("abc"), blocksOf("cab"), [p("a"), p("b"), p("c", "rewritten")]);
    expect(merge.blocks[0]).toEqual({ origin: "both", block: p("c", "rewritten") });
    expect(merge.counts).toEqual({ mine: 0, theirs: 0, both: 1, collisions: 0 });
  });
});

describe("a text that both changed", () => {
  const text = (was: string, mine: string, theirs: string) => one(p("a", was), p("a", mine), p("a", theirs));
  test.each([
    [
      "in different sentences",
      "One cat sat. Two dogs ran.",
      "One big cat sat. Two dogs ran.",
      "One cat sat. Two dogs walked.",
      "One big cat sat. Two dogs walked.",
    ],
    [
      "in words and in marks",
      "One cat sat on the old mat.",
      "<b>One</b> cat sat on the old mat.",
      "One cat sat on the old rug.",
      "<b>One</b> cat sat on the old rug.",
    ],
    ["alike", "One cat.", "One dog.", "One dog.", "One dog."],
    [
      "without blanks between words",
      "我们昨天修好了它。今天发布。",
      "我们今天修好了它。今天发布。",
      "我们昨天修好了它。明天发布。",
      "我们今天修好了它。明天发布。",
    ],
    [
      "with signs for characters",
      "Fish &amp; chips for two today",
      "Fish &amp; chips for three today",
      "Fish &lt; chips for two today",
      "Fish &lt; chips for three today",
    ],
  ])("%s", (_, was, mine, theirs, expected) => expect(text(was, mine, theirs)).toEqual({ text: expected }));

  test.each([
    ["the same word in two ways", "One cat sat.", "One dog sat.", "One cow sat."],
    ["words that touch", "One cat sat", "One dog sat", "One cat stood"],
    [
      "marks that overlap",
      "One two three four five six seven",
      "One <b>two three four</b> five six seven",
      "One two three <i>four five six</i> seven",
    ],
    [
      "a sentence that one wrote anew",
      "We will ship the thing on a day in May.",
      "Nobody knows the thing or a date for it.",
      "We will ship this thing on a day in May.",
    ],
    [
      "a sentence that both moved, to different places",
      "A one two. B. C. D. E. F.",
      "B. C. D. A one two. E. F.",
      "B. C. D. E. F. A one two.",
    ],
    ["everything", "", "mine", "theirs"],
  ])("%s is for a person to decide", (_, was, mine, theirs) => expect(text(was, mine, theirs)).toBeNull());
});

describe("a block with parts that both changed", () => {
  const list = (...items: (string | [string, ...string[]])[]): Block =>
    cleaned("list", "a", {
      style: "checklist",
      items: items.map((item) =>
        typeof item === "string" ? { content: item } : { content: item[0], items: item.slice(1).map((content) => ({ content })) },
      ),
    });
  const words = (data: Block["data"] | null) =>
    data && "items" in data && data.items.map(({ content, items }) => [content, ...items.map((item) => item.content)].join("/"));

  test.each([
    ["items rewritten", list("a", "b", "c"), list("a1", "b", "c"), list("a", "b1", "c"), ["a1", "b1", "c"]],
    ["items added at one place", list("a"), list("a", "mine"), list("a", "theirs"), ["a", "theirs", "mine"]],
    [
      "one rewritten, and one added behind it",
      list("one cat sat"),
      list("one dog sat"),
      list("one cat sat", "two"),
      ["one dog sat", "two"],
    ],
    [
      "one rewritten with one added behind it",
      list("one cat sat here"),
      list("one dog sat here", "mine"),
      list("one cat sat there"),
      ["one dog sat there", "mine"],
    ],
    ["items below items", list(["a", "x"], "b"), list(["a", "x", "y"], "b"), list(["a", "z"], "b"), ["a/z/y", "b"]],
  ])("a list: %s", (_, was, mine, theirs, expected) => expect(words(one(was, mine, theirs))).toEqual(expected));

  test("a list: implicit defaults are no change", () => {
    const said = (items: object[]): Block =>
      cleaned("list", "a", { style: "checklist", meta: { start: 1, counterType: "numeric" }, items });
    const bare = cleaned("list", "a", { style: "checklist", items: [{ content: "a" }, { content: "b" }] });
    const unticked = said([
      { content: "a", meta: { checked: false } },
      { content: "b", meta: { checked: false } },
    ]);
    expect(merged([bare], [unticked], []).blocks).toEqual([]);
    expect(merged([bare], [unticked], [bare]).counts).toEqual({ mine: 0, theirs: 0, both: 0, collisions: 0 });
    expect(words(one(bare, unticked, list("a", "b", "c")))).toEqual(["a", "b", "c"]);
  });

  test("a list: removing an item whose subitems were rewritten is a conflict", () => {
    expect(one(list(["a", "x"]), list("b"), list(["a", "x changed"]))).toBeNull();
    expect(one(list("a", "b", "c", "d"), list("c", "a", "b", "d"), list("a", "b", "d", "c"))).toBeNull();
  });

  const table = (...content: string[][]): Block => cleaned("table", "a", { content });
  test("a table, cell by cell", () => {
    const was = table(["a", "b"], ["c", "d"]);
    expect(one(was, table(["a1", "b"], ["c", "d"]), table(["a", "b1"], ["c", "d"], ["e", "f"]))).toMatchObject({
      content: [
        ["a1", "b1"],
        ["c", "d"],
        ["e", "f"],
      ],
    });
    expect(one(was, table(["a1", "b"], ["c", "d"]), table(["a2", "b"], ["c", "d"]))).toBeNull();
    expect(one(was, table(["a", "b", "x"], ["c", "d", "y"]), table(["a1", "b"], ["c", "d"]))).toBeNull();
  });

  const code = (...lines: string[]): Block => cleaned("code", "a", { code: lines.join("\n"), language: "ts" });
  test("code, line by line", () => {
    expect(one(code("a", "b", "c"), code("a", "b", "c", "d"), code("a0", "b", "c"))).toEqual({ code: "a0\nb\nc\nd", language: "ts" });
    expect(one(code("a b", "c d", "e"), code("a b", "e"), code("a b", "c e"))).toBeNull();
    expect(one(code("x < 1", "b"), code("x < 2", "b"), code("x > 1", "b"))).toBeNull();
  });

  const image = (name: string, alt: string, stretched = false): Block =>
    cleaned("image", "a", { file: { url: `https://x.example/${name}.png` }, alt, caption: "", stretched });
  test("an image: replacing it here and its text there is a conflict", () => {
    expect(one(image("old", "Old"), image("new", "Old"), image("old", "Old words"))).toBeNull();
    expect(one(image("old", "Old"), image("new", "Old"), image("old", "Old", true))).toMatchObject({
      stretched: true,
      file: { url: "https://x.example/new.png" },
    });
  });

  test("a changed type here and changed text there is a conflict", () => {
    const header = cleaned("header", "a", { text: "a", level: 2 });
    expect(one(p("a"), header, p("a", "b"))).toBeNull();
    expect(one(p("a"), header, p("a"))).toEqual(header.data);
    expect(one(p("a"), header, header)).toEqual(header.data);
  });
});

describe("conflicts", () => {
  const base = blocksOf("abc");
  const collision = merged(base, [p("a", "mine"), p("c")], [p("a", "theirs"), p("b", "rewritten"), p("c")]);

  test("a block deleted here and rewritten there is a conflict in its place", () => {
    expect(order(collision)).toBe("ABc");
    expect(collision.blocks[1]).toEqual({ collision: { id: "b", base: p("b"), mine: null, theirs: p("b", "rewritten") } });
    expect(collision.counts).toEqual({ mine: 0, theirs: 0, both: 0, collisions: 2 });
    expect(collision.counts.collisions).toBeGreaterThan(0);
  });

  test("the merge is null until everything is decided", () => {
    expect(undecided(collision, { blocks: {} })).toEqual({ fields: [], blocks: ["a", "b"], count: 2 });
    expect(settle(collision, { blocks: { a: "mine" } })).toBeNull();
    expect(undecided(collision, { blocks: { a: "mine" } }).blocks).toEqual(["b"]);
  });

  test.each<[Choices["blocks"], string[]]>([
    [{ a: "mine", b: "mine" }, ["mine", "c"]],
    [{ a: "theirs", b: "theirs" }, ["theirs", "rewritten", "c"]],
    [{ a: "both", b: "both" }, ["theirs", "mine", "rewritten", "c"]],
  ])("%j", (blocks, expected) => {
    const settled = settle(collision, { blocks })!;
    expect(settled.blocks.map(({ data }) => (data as { text: string }).text)).toEqual(expected);
    expect(new Set(settled.blocks.map(({ id }) => id)).size).toBe(expected.length);
  });

  test("fields", () => {
    const merge = mergeVersions(
      version([], { title: "Was", summary: "Was", tags: ["kept", "mine took", "they took"] }),
      version([], { title: "Mine", summary: "Was", tags: ["kept", "they took", "mine added"] }),
      version([], { title: "Theirs", summary: "Theirs", tags: ["kept", "mine took", "they added"], cover_image: "none" }),
    );
    expect(merge.title).toEqual({ collision: { base: "Was", mine: "Mine", theirs: "Theirs" } });
    expect(merge.summary).toEqual({ origin: "theirs", value: "Theirs" });
    expect(merge.cover_image).toEqual({ origin: "theirs", value: "none" });
    expect(merge.tags).toEqual({ origin: "both", value: ["kept", "mine added", "they added"] });
    expect(undecided(merge, { blocks: {} })).toEqual({ fields: ["title"], blocks: [], count: 1 });
    expect(settle(merge, { title: "theirs", blocks: {} })).toMatchObject({ title: "Theirs", summary: "Theirs", cover_image: "none" });
  });

  test("changes are counted by side, including deletions", () => {
    const { counts } = merged(blocksOf("abcdef"), [p("a", "1"), ...blocksOf("cdefx")], [...blocksOf("abcd"), p("e", "2")]);
    expect(counts).toEqual({ mine: 3, theirs: 2, both: 0, collisions: 0 });
  });
});

describe("a base from before blocks had ids", () => {
  const bare = (...texts: string[]) => texts.map((text) => ({ type: "paragraph", data: { text } }) as Block);
  const named = (side: string, ...texts: string[]) => texts.map((text, place) => p(`${side}${place}`, text));

  test("its blocks are matched by content and get the saved version's ids", () => {
    const merge = merged(bare("a", "b", "c"), named("m", "a", "b mine", "c"), named("t", "a", "b", "c", "new"));
    expect(merge.counts.collisions).toBe(0);
    expect(settle(merge, { blocks: {} })!.blocks).toEqual([p("t0", "a"), p("t1", "b mine"), p("t2", "c"), p("t3", "new")]);
  });

  test("blocks are matched without ids on any side", () => {
    const merge = merged(bare("a", "a", "b"), bare("a", "a", "b", "mine"), bare("theirs", "a", "a", "b"));
    expect(settle(merge, { blocks: {} })!.blocks.map(({ data }) => (data as { text: string }).text)).toEqual([
      "theirs",
      "a",
      "a",
      "b",
      "mine",
    ]);
  });
});

describe("hostile input", () => {
  test("ids such as `constructor` are ordinary ids", () => {
    const ids = ["__proto__", "constructor", "toString"];
    const merge = merged(
      ids.map((id) => p(id)),
      ids.map((id) => p(id, "mine")),
      ids.map((id) => p(id, "theirs")),
    );
    const nothing: Choices = { blocks: {} };
    expect(undecided(merge, nothing).blocks).toEqual(ids);
    expect(ids.map((id) => choiceOf(nothing, id))).toEqual([undefined, undefined, undefined]);
    const choices: Choices = { blocks: Object.fromEntries(ids.map((id) => [id, "theirs"])) };
    expect(settle(merge, choices)!.blocks).toEqual(ids.map((id) => p(id, "theirs")));
  });

  test("a text with more lines than a call's argument limit merges", () => {
    const lines = Array.from({ length: 200_000 }, () => "a");
    const code = (all: string[]): Block => cleanBlocks([{ id: "c", type: "code", data: { code: all.join("\n") } }], unlimited).blocks[0]!;
    const [mine, theirs] = [
      ["mine", ...lines],
      [...lines, "theirs"],
    ];
    expect(one(code(lines), code(mine), code(theirs))).toEqual(code(["mine", ...lines, "theirs"]).data);
    expect(compareVersions(version([code(["x"])]), version([code(lines)])).counts).toMatchObject({ changed: 1 });
  });

  // Regression: scanning for the end of each took a minute on one long line.
  test("an unclosed `<` is plain text", () => {
    expect(piecesOfInline("a < b <i>c</i>")).toEqual(["a", " ", "<", " ", "b", " ", "<i>", "c", "</i>"]);
  });
});
