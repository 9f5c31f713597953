import { noDetails } from "#contract/rules/post-details.ts";
import { test as property } from "../../tests/support/properties.ts";
import { describe, expect, test } from "vitest";
import type { Block } from "#contract/blocks/block-types.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksFromMarkdown } from "#contract/blocks/from-markdown.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";
import { readAgain } from "#contract/blocks/round-trip.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { anyThree } from "../../tests/support/any-versions.ts";
import { posts as anyPosts } from "../../tests/support/any-posts.ts";
import { keepBlocks } from "./keep-blocks.ts";
import { mergeVersions } from "./merge-versions.ts";
import type { PostContent } from "../rules/post-content.ts";

const postOf = (blocks: unknown) => giveIds(cleanBlocks(blocks));
function after(present: readonly Block[], change: (markdown: string) => string): Block[] {
  const markdown = change(blocksToMarkdown(cleanBlocks(present), { whole: true }));
  return keepBlocks(present, blocksFromMarkdown(markdown).blocks, (block) => readAgain(block, ""));
}
const withoutNotes = (markdown: string) => markdown.replace(/\n<!-- tidings [^\n]*-->/g, "");
const p = (id: string, text: string) => ({ id, type: "paragraph", data: { text } });
const image = {
  id: "image",
  type: "image",
  data: {
    file: { url: "https://x.example/one.png", width: 800, height: 600 },
    alt: "One",
    caption: "Of it",
    withBorder: true,
    stretched: true,
  },
};
const some = postOf([
  { id: "head", type: "header", data: { text: "What is new", level: 2 } },
  p("first", "Search is <b>twice</b> as fast as it was in the version before."),
  image,
  {
    id: "list",
    type: "list",
    data: { style: "ordered", meta: { counterType: "lower-roman" }, items: [{ content: "one" }, { content: "two" }] },
  },
  { id: "quote", type: "quote", data: { text: "Said", caption: "Somebody", alignment: "center" } },
  p("last", "Thank you for reading."),
]).blocks;
const idsOf = (blocks: readonly Block[]) => blocks.map(({ id }) => id ?? "-").join(" ");

describe("a text that is written back as Markdown", () => {
  test("is unchanged without edits, with and without notes", () => {
    expect(after(some, (markdown) => markdown)).toEqual(some);
    expect(after(some, withoutNotes)).toEqual(some);
  });

  test("keeps the id of a rewritten block, and all others byte by byte", () => {
    const changed = after(some, (markdown) =>
      withoutNotes(markdown).replace("fast as it was", "quick as it was").replace("![One]", "![One more]"),
    );
    expect(idsOf(changed)).toBe(idsOf(some));
    expect(changed[1]!.data).toEqual({ text: "Search is <b>twice</b> as quick as it was in the version before." });
    expect(changed[2]!.data).toMatchObject({ alt: "One more", caption: "Of it", withBorder: true, stretched: true });
    expect([changed[0], ...changed.slice(3)]).toEqual([some[0], ...some.slice(3)]);
  });

  test.each([
    ["a paragraph more", (text: string) => text.replace("\n\n![", "\n\nA new one in between.\n\n!["), "head first - image list quote last"],
    ["one less", (text: string) => text.replace("Thank you for reading.", ""), "head first image list quote"],
    [
      "moved to the front",
      (text: string) => `Thank you for reading.\n\n${text.replace("Thank you for reading.", "")}`,
      "last head first image list quote",
    ],
    ["another type", (text: string) => text.replace("## What", "What"), "- first image list quote last"],
    ["a whole other text", () => "Nothing of it.\n\nAnd more.", "- -"],
    ["nothing", () => "", ""],
  ])("with %s", (_, change, expected) => expect(idsOf(after(some, change))).toBe(expected));

  test("matches equal blocks one to one", () => {
    const alike = postOf([p("a", "Same."), p("b", "Same."), p("c", "Other."), p("d", "Same.")]).blocks;
    expect(idsOf(after(alike, (markdown) => `${markdown}\n\nSame.`))).toBe("a b c d -");
    expect(idsOf(after(alike, (markdown) => markdown.replace("Same.\n\n", "")))).toBe("a c b");
  });

  test("keeps the order of blocks that Markdown can't distinguish", () => {
    const table = (id: string, cell: string) => ({ id, type: "table", data: { withHeadings: false, stretched: false, content: [[cell]] } });
    const tables = postOf([table("a", "<br>"), table("b", "")]).blocks;
    expect(idsOf(after(tables, (markdown) => markdown))).toBe("a b");
  });

  test("parses long blocks no more often because of many short ones", () => {
    const long = Array.from({ length: 6 }, (_, n) => Array.from({ length: 300 }, (_, at) => `w${n}x${at}`).join(" "));
    const plain = postOf(long.map((text, n) => p(`long${n}`, text))).blocks;
    const readsFor = (count: number): number => {
      let reads = 0;
      const present = plain.map((block) => {
        const { text } = block.data as { text: string };
        const data = Object.defineProperty({}, "text", { enumerable: true, get: () => (reads++, text) });
        return { ...block, data } as unknown as Block;
      });
      const written = Array.from({ length: count }, (_, n) => ({ type: "paragraph", data: { text: `q${n}` } }) as Block);
      const known = new Map(present.map((block, n) => [block, readAgain(plain[n]!, "")]));
      expect(idsOf(keepBlocks(present, written, (block) => known.get(block)!))).toBe(written.map(() => "-").join(" "));
      return reads;
    };
    expect(readsFor(400)).toBe(readsFor(4));
  });

  property.prop([anyPosts], { numRuns: 200 })("any post is what it was", (blocks) => {
    const { blocks: present } = postOf(blocks);
    expect(after(present, (markdown) => markdown)).toEqual(present);
  });

  property.prop([anyThree])("and goes together with what a colleague wrote into other blocks", ({ base }) => {
    const version = (blocks: readonly Block[]): PostContent => ({
      title: "T",
      summary: "",
      cover_image: null,
      details: noDetails,
      tags: [],
      blocks,
    });
    const theirs = [...base.blocks.slice(0, -1), ...postOf([p("theirs", "Of the colleague.")]).blocks];
    const mine = after(base.blocks, (markdown) => `Written by an assistant.\n\n${markdown}`);
    const merge = mergeVersions(version(base.blocks), version(mine), version(theirs));
    expect(merge.counts.collisions).toBe(0);
    expect(merge.blocks).toHaveLength(theirs.length + 1);
  });
});
