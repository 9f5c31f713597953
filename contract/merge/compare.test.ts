// @vitest-environment jsdom
import { noDetails } from "#contract/rules/post-details.ts";
import { test as property } from "../../tests/support/properties.ts";
import { describe, expect, test } from "vitest";
import { type Block, typeOf } from "#contract/blocks/block-types.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { anyThree, wordsOf } from "../../tests/support/any-versions.ts";
import { xssPayloads } from "../../tests/support/xss-payloads.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";
import { compareBlock } from "./compare-block.ts";
import { compareInline } from "./compare-text.ts";
import { compareVersions, withBlockBack } from "./compare.ts";
import type { PostContent } from "../rules/post-content.ts";

const wordsMarked = (html: string, name: "ins" | "del"): string[] =>
  [...html.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, words = ""]) => inlineText(words).trim());

const cleaned = (type: string, data: object, id = "a"): Block => cleanBlocks([{ id, type, data }]).blocks[0]!;
const p = (id: string, text = id): Block => cleaned("paragraph", { text }, id);
const version = (blocks: readonly Block[], fields: Partial<PostContent> = {}): PostContent => ({
  title: "Title",
  summary: "",
  cover_image: null,
  details: noDetails,
  tags: [],
  blocks,
  ...fields,
});
const compared = (before: readonly Block[], after: readonly Block[]) => compareVersions(version(before), version(after));

describe("words", () => {
  test.each([
    ["One cat sat.", "One big dog sat.", "One <ins>big dog</ins> sat.", "cat"],
    ["One cat.", "One cat. And more", "One cat.<ins> And more</ins>", undefined],
    ["a &amp; b", "a &lt; b", "a <ins>&lt;</ins> b", "&"],
    ["one <b>two</b>", "one <b>three</b>", "one <b><ins>three</ins></b>", "two"],
    ["one two", "one <b>two</b>", "one <b>two</b>", undefined],
    ["", "new", "<ins>new</ins>", undefined],
  ])("%j and %j", (before, after, expected, deleted) => {
    const { html } = compareInline(before, after);
    expect(html.replace(/<del>.*?<\/del>/g, "")).toBe(expected);
    expect(wordsMarked(html, "del")[0]).toBe(deleted);
  });

  test("changed marks and links are distinguished from changed words", () => {
    expect(compareInline("one two", "one <b>two</b>").marks).toBe(true);
    expect(compareInline('<a href="https://a.example/">x</a>', '<a href="https://b.example/">x</a>').marks).toBe(true);
    expect(compareInline("one two", "one three").marks).toBe(false);
  });
});

describe("one block", () => {
  const marked = (before: Block, after: Block) => {
    const { html, notes } = compareBlock(before, after);
    return { deleted: wordsMarked(html, "del"), inserted: wordsMarked(html, "ins"), notes };
  };
  const list = (items: unknown[]) => cleaned("list", { style: "checklist", items });
  const table = (...content: string[][]) => cleaned("table", { content });
  const image = (name: string, caption = "") => cleaned("image", { file: { url: `https://x.example/${name}.png` }, caption });

  test.each([
    ["a list's items", list(["a", "b", "c"]), list(["a", "b2", "c", "d"]), ["b"], ["b2", "d"], []],
    ["an item below another", list([{ content: "a", items: ["x"] }]), list([{ content: "a", items: ["y"] }]), ["x"], ["y"], []],
    ["a tick", list([{ content: "a" }]), list([{ content: "a", checked: true }]), [], ["Ticked:"], []],
    ["a table's cells", table(["a", "b"], ["c", "d"]), table(["a", "b2"], ["c", "d"]), ["b"], ["b2"], []],
    ["a row", table(["a", "b"]), table(["a", "b"], ["c", "d"]), [], ["c", "d"], []],
    ["a column in between", table(["a", "b"], ["c", "d"]), table(["a", "x", "b"], ["c", "y", "d"]), [], ["x", "y"], []],
    ["lines of code", cleaned("code", { code: "a\nb" }), cleaned("code", { code: "a\nb < c\nd" }), [], ["< c", "d"], []],
    ["a caption", image("one", "Old words"), image("one", "New words"), ["Old"], ["New"], []],
    ["a type", p("a", "one"), cleaned("header", { text: "one two", level: 2 }), [], ["two"], ["type"]],
    ["a level", cleaned("header", { text: "a", level: 2 }), cleaned("header", { text: "a", level: 3 }), [], [], ["settings"]],
  ] as const)("%s", (_, before, after, deleted, inserted, notes) => {
    const found = marked(before, after);
    expect(found.deleted.flatMap((words) => words.split(" ").filter(Boolean))).toEqual(deleted.flatMap((words) => words.split(" ")));
    expect(found.inserted.join(" ")).toBe(inserted.join(" "));
    expect(found.notes).toEqual(notes);
  });

  test("a replaced image shows both, one after the other", () => {
    const { html } = compareBlock(image("one"), image("two"));
    expect(html).toMatch(/^<del><figure.*one\.png.*<\/figure><\/del><ins><figure.*two\.png.*<\/figure><\/ins>$/);
  });

  test.each(xssPayloads)("%j does nothing between two versions", (payload) => {
    const harm: string[] = [];
    const drawn = ["paragraph", "header", "list", "image", "code", "quote", "table", "callout"].flatMap((type) => {
      const texts = { text: payload, items: [payload], caption: payload, alt: payload, code: payload, content: [[payload]] };
      const changed = JSON.parse(JSON.stringify(texts).replaceAll("a", "o")) as object;
      const [before, after] = [texts, changed].map((data) => cleaned(type, { ...data, file: { url: "https://x.example/" } }));
      return before && after ? [compareBlock(before, after).html, compareBlock(after, before).html] : [];
    });
    const page = new DOMParser().parseFromString(drawn.join("<hr>"), "text/html");
    for (const { tagName, attributes } of page.body.querySelectorAll("*")) {
      if (/^(?:SCRIPT|IFRAME|OBJECT|STYLE|SVG|FORM|LINK|META)$/i.test(tagName)) harm.push(tagName);
      for (const { name, value } of attributes) {
        if (name.startsWith("on") || (/^(?:href|src)$/.test(name) && !/^(?:https?|mailto):/.test(value))) harm.push(`${tagName} ${name}`);
      }
    }
    expect(harm).toEqual([]);
  });
});

describe("two versions", () => {
  const shape = (before: readonly Block[], after: readonly Block[]): string =>
    compared(before, after)
      .blocks.map(
        (one) =>
          `${{ same: "=", inserted: "+", deleted: "-", changed: "~" }[one.where]}${one.moved ? ">" : ""}${(one.after ?? one.before)!.id}`,
      )
      .join(" ");
  const blocks = (ids: string) => [...ids].map((id) => p(id));

  test.each([
    ["abc", "abc", "=a =b =c"],
    ["abc", "axc", "=a -b +x =c"],
    ["abc", "ac", "=a -b =c"],
    ["", "a", "+a"],
    ["abcd", "dabc", "=>d =a =b =c"],
    ["ab", "", "-a -b"],
  ])("%s and %s", (before, after, expected) => expect(shape(blocks(before), blocks(after))).toBe(expected));

  test("blocks without ids are matched by content", () => {
    const bare = (...texts: string[]) => cleanBlocks(texts.map((text) => ({ type: "paragraph", data: { text } }))).blocks;
    expect(compared(bare("a", "one two three four", "c"), bare("a", "one two three five", "c")).blocks.map(({ where }) => where)).toEqual([
      "same",
      "changed",
      "same",
    ]);
    expect(compared(bare("a", "b"), bare("a", "other")).blocks.map(({ where }) => where)).toEqual(["same", "deleted", "inserted"]);
  });

  test("title, summary, tags and cover are compared", () => {
    const { title, summary, tags, cover_image } = compareVersions(
      version([], { title: "One <two>", tags: ["a", "b"] }),
      version([], { title: "One <three>", tags: ["b", "c"], cover_image: "none" }),
    );
    expect(title).toBe("One &lt;<del>two</del><ins>three</ins>&gt;");
    expect(summary).toBeNull();
    expect(tags).toEqual({ inserted: ["c"], deleted: ["a"] });
    expect(cover_image).toEqual({ before: null, after: "none" });
  });

  test("restores one block and nothing else", () => {
    const before = [p("a"), p("b"), p("c"), p("d")];
    const after = [p("a", "a now"), p("c"), p("d", "d now"), p("x")];
    const comparison = compared(before, after);
    const result = (id: string) =>
      withBlockBack(
        after,
        comparison,
        comparison.blocks.find((one) => (one.after ?? one.before)!.id === id)!,
      );
    expect(result("a")).toEqual([p("a"), p("c"), p("d", "d now"), p("x")]);
    expect(result("b")).toEqual([p("a", "a now"), p("b"), p("c"), p("d", "d now"), p("x")]);
    expect(result("x")).toEqual([p("a", "a now"), p("c"), p("d", "d now")]);
    expect(result("c")).toBeNull();
    // Text edited meanwhile is kept; a block that is already gone isn't removed twice.
    const gone = comparison.blocks.find((one) => one.after?.id === "x")!;
    expect(withBlockBack([p("a", "a now"), p("y")], comparison, gone)).toBeNull();
  });

  property.prop([anyThree], { numRuns: Number(process.env.FUZZ_RUNS ?? 400), ...(!process.env.FUZZ_RUNS && { seed: 23 }) })(
    "every block of both is in the comparison, and brought back one by one all of them are the version before",
    ({ mine, theirs }) => {
      const comparison = compareVersions(theirs, mine);
      expect(comparison.blocks.flatMap(({ after }) => after ?? [])).toEqual(mine.blocks);
      expect(new Set(comparison.blocks.flatMap(({ before }) => before ?? []))).toEqual(new Set(theirs.blocks));
      const words = (html: string) => html.replace(/<del>.*?<\/del>/gs, "").replace(/<[^>]*>/g, " ");
      for (const { where, after, html } of comparison.blocks) {
        if (where === "changed")
          for (const word of wordsOf([after!])) expect(words(html).replace(/\s+/g, "")).toContain(word.replace(/<[^>]*>/g, ""));
      }
      let now: readonly Block[] = mine.blocks;
      for (const one of comparison.blocks) now = withBlockBack(now, comparison, one) ?? now;
      // Equal text counts as the same block, whatever its id.
      const sorted = (blocks: readonly Block[]) => blocks.map((block) => JSON.stringify(typeOf(block).words(block.data))).sort();
      expect(sorted(now)).toEqual(sorted(theirs.blocks));
    },
  );
});
