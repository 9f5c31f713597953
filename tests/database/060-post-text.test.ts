import { describe, expect } from "vitest";
import { boundsProblem } from "#contract/blocks/bounds.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { excerpt } from "#contract/blocks/excerpt.ts";
import { isEmpty } from "#contract/blocks/is-empty.ts";
import { blocksToText } from "#contract/blocks/plain-text.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { blockLimits } from "#contract/blocks/limits.ts";
import { connect } from "./support/database.ts";
import { outcome, refused } from "./support/refusal.ts";
import { test, testEach } from "./support/world.ts";

const sql = connect();
const paragraph = (text: string) => ({ type: "paragraph", data: { text } });
const image = (url: string, caption = "") => ({
  type: "image",
  data: { file: { url }, caption, withBorder: false, stretched: false, withBackground: false },
});

const contents: [string, unknown[]][] = [
  ["nothing", []],
  ["blanks", [paragraph(" &nbsp; <br> ")]],
  ["a divider", [{ type: "delimiter", data: {} }]],
  ["an image", [image("/storage/v1/object/public/post-images/a/b.png")]],
  ["an image with a caption", [image("https://example.com/a.png", "The <b>new</b> menu")]],
  ["inline marks", [paragraph('In<b>cred</b>ible &amp; <a href="https://x.y">linked</a>, 1 &lt; 2, &quot;quoted&quot;')]],
  ["entities twice", [paragraph("&amp;lt;b&amp;gt; &#8364; &#x1F600; &#39;")]],
  ["line breaks", [paragraph("one<br>two<br/>three")]],
  ["a header and prose", [{ type: "header", data: { text: "Heading", level: 2 } }, paragraph("Prose.")]],
  ["only a header", [{ type: "header", data: { text: "Only a heading", level: 2 } }]],
  [
    "a nested list",
    [
      {
        type: "list",
        data: {
          style: "unordered",
          meta: {},
          items: [
            { content: "one", meta: {}, items: [{ content: "two", meta: {}, items: [] }] },
            { content: "three", meta: {}, items: [] },
          ],
        },
      },
    ],
  ],
  ["an old list", [{ type: "list", data: { style: "ordered", items: ["first", "second <b>bold</b>"] } }]],
  [
    "a checklist",
    [
      {
        type: "checklist",
        data: {
          items: [
            { text: "done", checked: true },
            { text: "open", checked: false },
          ],
        },
      },
    ],
  ],
  [
    "a table",
    [
      {
        type: "table",
        data: {
          withHeadings: true,
          stretched: false,
          content: [
            ["a", "b"],
            ["c", "<i>d</i>"],
          ],
        },
      },
    ],
  ],
  ["code", [{ type: "code", data: { code: 'if (a < b && c > d) {\n  return "<b>";\n}' } }, paragraph("after")]],
  ["code in a language", [{ type: "code", data: { code: "let x = 1;", language: "typescript" } }]],
  [
    "a callout",
    [
      { type: "header", data: { text: "Head", level: 2 } },
      { type: "callout", data: { kind: "danger", text: "Mind the <b>gap</b>" } },
    ],
  ],
  ["a video", [{ type: "embed", data: { url: "https://youtu.be/aqz-KE-bpKQ", caption: "" } }]],
  ["a video with a caption", [{ type: "embed", data: { url: "https://youtu.be/aqz-KE-bpKQ", caption: "The <i>tour</i>" } }]],
  [
    "addresses as text",
    [paragraph("https://x.example/only"), { type: "quote", data: { text: "/root/relative", caption: "", alignment: "left" } }],
  ],
  ["a quote", [{ type: "quote", data: { text: "Said", caption: "by her", alignment: "left" } }]],
  ["long prose", [paragraph("Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(8))]],
  ["a sentence that ends at the cut", [paragraph(`${"word ".repeat(31)}end. And more follows here`)]],
  ["exactly 160 characters", [paragraph("x".repeat(160))]],
  ["one endless word", [paragraph("y".repeat(400))]],
  ["an endless word after a short one", [paragraph(`go ${"y".repeat(400)}`)]],
  [
    "whole sentences",
    [paragraph(`${"Ten words of a sentence stand here, no more. ".repeat(3)}${"And this one is too long for it. ".repeat(4)}`)],
  ],
  ["a short sentence before a long one", [paragraph(`Hi. ${"word ".repeat(60)}end.`)]],
  ["what only looks like an end", [paragraph(`${"word ".repeat(20)} e.g. this ${"word ".repeat(20)}`)]],
  ["two paragraphs", [paragraph("New features"), paragraph("Dark mode")]],
  ["prose behind an empty paragraph", [paragraph(" "), paragraph("Here it is.")]],
  ["a quote", [{ type: "quote", data: { text: "Easy on the eyes.", caption: "A reader", alignment: "left" } }]],
  [
    "a list of long items",
    [{ type: "list", data: { style: "unordered", items: [{ content: "First thing" }, { content: "Second thing" }] } }],
  ],
  ["other scripts", [paragraph("更新しました。".repeat(40)), paragraph("Ärger — größer")]],
];

test.each(contents)("the database extracts the contract's text, excerpt and emptiness of %s", async (_, blocks) => {
  const content = cleanBlocks(blocks);
  const [row] = await sql`
    select private.blocks_text(${content as never}) as text, private.blocks_excerpt(${content as never}) as excerpt, not private.has_content(${content as never}) as empty`;
  expect(row).toEqual({ text: blocksToText(content), excerpt: excerpt(content), empty: isEmpty(content) });
});

const junk: unknown[] = [
  {},
  { blocks: null },
  { blocks: {} },
  { blocks: [null, 1, "x", [], {}] },
  { blocks: [{ type: "list", data: { items: { a: 1 } } }] },
  { blocks: [{ type: 5, data: [] }] },
  { blocks: [{ type: "table", data: { content: [[{}], "x", 3] } }] },
  { blocks: [{ type: "paragraph", data: { text: { deep: true } } }] },
  { blocks: [{ type: "image", data: { file: "x" } }] },
  { blocks: [{ type: "paragraph", data: { text: "&#0; &#xD800; &#1114112; &#99999999;" } }] },
];
test.each(junk)("the database parses junk without an error: %j", async (content) => {
  const [row] =
    await sql`select private.blocks_text(${content as never}) as text, private.blocks_excerpt(${content as never}) as excerpt, private.has_content(${content as never}) as says`;
  expect(typeof row!.text).toBe("string");
});

test("search indexes words of unknown block types, but not their settings and URLs", async () => {
  const data = {
    title: "First &amp; <b>foremost</b>",
    columns: [
      { heading: "left", items: [{ content: "one", items: [{ content: "two" }] }], poster: "https://x.example/poster.png" },
      "right",
    ],
    thumbnail: "/storage/v1/object/public/post-images/a.png",
    kind: "wide",
    meta: { start: "hidden" },
    width: 3,
    file: { url: "https://x.example/a.png", name: "hidden" },
  };
  const content = { blocks: [{ type: "gallery", id: "hidden", data }] };
  const [row] = await sql`select private.blocks_text(${content as never}) as text`;
  expect(row!.text).toBe("First & foremost left one two right");
});

test("every type of block is parsed alike, whatever its name", async () => {
  const samples: { [Type in Block["type"]]: unknown } = {
    paragraph: { text: "word" },
    header: { text: "word", level: 3 },
    list: { style: "checklist", items: [{ content: "word", meta: { checked: true } }] },
    image: { file: { url: "https://x.example/i.png" }, caption: "word", stretched: true },
    embed: { url: "https://vimeo.com/76979871", caption: "word" },
    callout: { kind: "warning", text: "word" },
    quote: { text: "word", caption: "", alignment: "center" },
    code: { code: "word", language: "go" },
    table: { withHeadings: true, content: [["word"]] },
    delimiter: {},
  };
  for (const [type, data] of Object.entries(samples)) {
    // Paragraphs before and after it, which an excerpt would show instead.
    const content = cleanBlocks([
      { type: "code", data: { code: "before" } },
      { type, data },
      { type: "header", data: { text: "behind" } },
    ]);
    const [row] = await sql`
      select private.blocks_text(${content as never}) as text, private.blocks_excerpt(${content as never}) as excerpt,
        private.has_content(${{ blocks: content.blocks.slice(1, 2) } as never}) as says`;
    const alone = cleanBlocks([{ type, data }]);
    expect({ type, ...row }).toEqual({ type, text: blocksToText(content), excerpt: excerpt(content), says: !isEmpty(alone) });
  }
});

test("parsing stops at very deep lists without an error", async () => {
  let items: unknown = [{ content: "deep" }];
  for (let level = 0; level < 2_000; level += 1) items = [{ content: `l${level}`, items }];
  const [row] = await sql`select private.blocks_text(${{ blocks: [{ type: "list", data: { items } }] } as never}) as text`;
  expect(row!.text.split(" ")).toHaveLength(8);
});

test("parsing two megabytes of references and tags is fast", async () => {
  const text = Array.from({ length: 100_000 }, (_, index) => `<b>&#${index + 1};</b>&amp;`).join("");
  const started = performance.now();
  await sql`select private.blocks_text(${{ blocks: [{ type: "paragraph", data: { text } }] } as never})`;
  expect(performance.now() - started).toBeLessThan(60_000);
});

test.each([
  ["list", { items: Array(200_000).fill("ab") }],
  ["list", { items: Array.from({ length: 1_000 }, () => ({ content: "a", items: Array(200).fill("b") })) }],
  ["checklist", { items: Array(200_000).fill({ text: "ab" }) }],
  ["table", { content: [Array(200_000).fill("ab")] }],
])("parsing the text of a %s is fast, however many parts it has", async (type, data) => {
  const started = performance.now();
  const [row] = await sql`select private.blocks_text(${{ blocks: [{ type, data }] } as never}) as text`;
  expect(row!.text.split(" ").length).toBeGreaterThanOrEqual(200_000);
  expect(performance.now() - started).toBeLessThan(60_000);
});

describe("the database limits a post as the contract does", () => {
  const { blocks, blockLength, postLength, listItems, listDepth, pieces, tableRows, tableColumns } = blockLimits;
  const nested = (depth: number): unknown[] => [{ content: "x", items: depth > 1 ? nested(depth - 1) : [] }];
  const inner = (count: number) => [{ content: "x", items: Array(count - 1).fill({ content: "y", items: [] }) }];
  const code = (text: string) => ({ type: "code", data: { code: text } });
  const table = (rows: number, columns: number) => [{ type: "table", data: { content: Array(rows).fill(Array(columns).fill("c")) } }];
  const list = (items: unknown[], type = "list") => [{ type, data: { items } }];
  const sizes: [string, unknown[], unknown[]][] = [
    ["blocks", Array(blocks).fill(paragraph("x")), Array(blocks + 1).fill(paragraph("x"))],
    ["list items", list(Array(listItems).fill("x")), list(Array(listItems + 1).fill("x"))],
    ["list items of all levels", list(inner(listItems)), list(inner(listItems + 1))],
    ["levels of a list", list(nested(listDepth)), list(nested(listDepth + 1))],
    [
      "items of a checklist",
      list(Array(listItems).fill({ text: "x" }), "checklist"),
      list(Array(listItems + 1).fill({ text: "x" }), "checklist"),
    ],
    ["rows of a table", table(tableRows, 2), table(tableRows + 1, 2)],
    ["columns of a table", table(2, tableColumns), table(2, tableColumns + 1)],
    ["characters of a block", [paragraph("é".repeat(blockLength))], [paragraph("é".repeat(blockLength + 1))]],
    ["characters of a code block", [code("x".repeat(blockLength))], [code("x".repeat(blockLength + 1))]],
    [
      "characters of a post",
      Array(postLength / blockLength).fill(paragraph('"'.repeat(blockLength))),
      [...Array(postLength / blockLength).fill(paragraph('"'.repeat(blockLength))), paragraph('"')],
    ],
    [
      "list items and cells of a post",
      Array(pieces / listItems).fill(list(Array(listItems).fill("x"))[0]),
      [...Array(pieces / listItems).fill(list(Array(listItems).fill("x"))[0]), paragraph("x"), ...list(["x"])],
    ],
    [
      "cells that fill rows up",
      [{ type: "table", data: { content: [Array(tableColumns).fill("x"), ...Array(tableRows - 1).fill([])] } }],
      Array(2).fill({ type: "table", data: { content: [Array(tableColumns).fill("x"), ...Array(tableRows - 1).fill([])] } }),
    ],
  ];
  testEach(sizes)("%s", async (world, _, most, more) => {
    const post = (content: unknown) => world.post({ content_raw: content });
    const { id } = await post({ blocks: most });
    expect(boundsProblem({ blocks: most })).toBeNull();
    expect(boundsProblem({ blocks: more })).not.toBeNull();
    const tooLong = { code: "validation_failed", detail: { content_raw: "This post is too long" } };
    expect(await refused(post({ blocks: more }))).toMatchObject(tooLong);
    expect(
      await refused(world.as("editor", (me) => me`update public.posts set content_raw = ${{ blocks: more } as never} where id = ${id}`)),
    ).toMatchObject(tooLong);
  });

  const beside = "b".repeat(50_000);
  const some = paragraph("x".repeat(2_000));
  const elsewhere: [string, object, object][] = [
    [
      "beside the data of a block",
      { blocks: [{ ...some, tunes: { a: "b".repeat(48_000) } }] },
      { blocks: [{ ...some, tunes: { a: beside } }] },
    ],
    [
      "in the names of fields",
      { blocks: [{ type: "x", data: { ["b".repeat(49_000)]: "" } }] },
      { blocks: [{ type: "x", data: { [beside.repeat(3)]: "" } }] },
    ],
    ["in an invalid block", { blocks: ["b".repeat(49_000)] }, { blocks: [beside.repeat(2)] }],
    ["beside the blocks", { blocks: [some], more: { a: beside.repeat(5) } }, { blocks: [some], more: { a: beside.repeat(7) } }],
    [
      "beside the data of many blocks",
      { blocks: Array(9).fill({ ...some, tunes: { a: "b".repeat(30_000) } }) },
      { blocks: Array(12).fill({ ...some, tunes: { a: "b".repeat(30_000) } }) },
    ],
  ];
  testEach(elsewhere)("counts characters %s, saved and past the calls", async (world, _, most, more) => {
    const { id, version } = await world.post({ content_raw: most });
    expect([boundsProblem(most), boundsProblem(more)]).toEqual([null, expect.stringContaining("characters")]);
    const tooLong = { code: "validation_failed", detail: { content_raw: "This post is too long" } };
    expect(await refused(world.post({ content_raw: more }))).toMatchObject(tooLong);
    const patch = { content_raw: more } as never;
    expect(await refused(world.as("editor", (me) => me`select public.save_post(${id}, ${patch}, ${version})`))).toMatchObject(tooLong);
  });

  test("counts numbers and symbols as text", async ({ world: { post } }) => {
    const refusedAll = [Array(100_000).fill([]), Array(100_000).fill(1)];
    for (const junk of refusedAll)
      expect(await outcome(post({ content_raw: { blocks: [{ ...some, tunes: junk }] } }))).toBe("validation_failed");
  });

  test("counts no markup as text, so the longest valid posts can be saved", async ({ world: { post } }) => {
    const id = (at: number) => String(at).padStart(64, "x");
    const items = Array.from({ length: listItems }, () => ({ content: "é".repeat(27), meta: { checked: false }, items: [] }));
    const lists = Array(pieces / listItems).fill({ id: id(0), type: "list", data: { style: "checklist", meta: {}, items } });
    const file = { url: "https://x.example/a.png", width: 60_000, height: 60_000 };
    const flags = { width: 85, withBorder: false, stretched: false, withBackground: false };
    const pictures = Array(blocks - lists.length).fill({ id: id(1), type: "image", data: { file, caption: "", alt: "", ...flags } });
    const longest = { time: Date.now(), version: "2.31.7", blocks: [...lists, ...pictures] };
    expect(boundsProblem(longest)).toBeNull();
    expect(await outcome(post({ content_raw: longest }))).toBe("allowed");
  });

  testEach([
    ["list", { items: Array(300_000).fill("") }],
    ["table", { content: Array(300_000).fill([]) }],
  ])("a %s of a megabyte is refused quickly", async (world, type, data) => {
    const started = performance.now();
    expect(await outcome(world.post({ content_raw: { blocks: [{ type, data }] } }))).toBe("validation_failed");
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});
