import { describe, expect, test } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { cleanInline } from "#contract/blocks/inline-html.ts";
import { isEmpty } from "#contract/blocks/is-empty.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import { blockLimits } from "#contract/blocks/limits.ts";
import { safeImageUrl, safeLink } from "#contract/blocks/safe-url.ts";

const one = (type: string, data: unknown): unknown => cleanBlocks([{ type, data }]).blocks[0];

describe("cleaning the editor's output", () => {
  test("keeps time and ids, and writes the product's format version", () => {
    const input = { time: 1_700_000_000_000, version: "2.31.7", blocks: [{ id: "aB-_3", type: "paragraph", data: { text: "Hi" } }] };
    expect(cleanBlocks(input)).toEqual({ ...input, version: "2.28.2" });
  });
  test("takes a bare list of blocks", () => {
    expect(cleanBlocks([{ type: "delimiter" }]).blocks).toEqual([{ type: "delimiter", data: {} }]);
  });
  test.each([null, undefined, "x", 7, true, {}, { blocks: "x" }, { blocks: [null, 1, "x", [], {}, { type: 3 }] }])(
    "makes an empty post of %j",
    (input) => {
      expect(cleanBlocks(input)).toEqual({ time: 0, blocks: [], version: "2.28.2" });
    },
  );
  test("drops ids that are malformed or used twice", () => {
    const ids = cleanBlocks(["a", "a", "<b>", "", 7, "x".repeat(65)].map((id) => ({ id, type: "delimiter" }))).blocks.map(
      (block) => block.id,
    );
    expect(ids).toEqual(["a", undefined, undefined, undefined, undefined, undefined]);
  });
  test("keeps the text of a tool it does not know and drops what has none", () => {
    expect(one("warning", { text: "Mind the <b>gap</b>" })).toEqual({ type: "paragraph", data: { text: "Mind the <b>gap</b>" } });
    expect(one("embed", { service: "video" })).toBeUndefined();
    expect(one("toString", { text: "x" })).toEqual({ type: "paragraph", data: { text: "x" } });
    expect(one("__proto__", { text: "x" })).toEqual({ type: "paragraph", data: { text: "x" } });
  });
  test("reads lists of all versions of the list tool", () => {
    expect(one("list", { style: "unordered", items: ["one", "two"] })).toEqual({
      type: "list",
      data: {
        style: "unordered",
        meta: {},
        items: [
          { content: "one", meta: {}, items: [] },
          { content: "two", meta: {}, items: [] },
        ],
      },
    });
    const ordered = {
      style: "ordered",
      meta: { start: 3, counterType: "upper-roman" },
      items: [{ content: "x", meta: {}, items: [{ content: "y", meta: {}, items: [] }] }],
    };
    expect(one("list", ordered)).toEqual({ type: "list", data: ordered });
    const checked = { style: "checklist", meta: {}, items: [{ content: "x", meta: { checked: true }, items: [] }] };
    expect(one("list", checked)).toEqual({ type: "list", data: checked });
  });
  test("keeps the line ends of list items, as Shift+Enter writes them", () => {
    const items = ["one\ntwo\r\n\nfour", "\n  alone\n \n", "\n", " as it is "].map((content) => ({ content }));
    const kept = ["one<br>two<br><br>four", "  alone", "", " as it is "].map((content) => ({ content, meta: {}, items: [] }));
    expect(one("list", { items })).toMatchObject({ data: { items: kept } });
  });
  test("makes every row of a table as wide as the widest", () => {
    expect(one("table", { withHeadings: true, content: [["a"], ["b", "c"], "x"] })).toEqual({
      type: "table",
      data: {
        withHeadings: true,
        stretched: false,
        content: [
          ["a", ""],
          ["b", "c"],
          ["", ""],
        ],
      },
    });
    expect(one("table", { content: [[], []] })).toBeUndefined();
  });
  test("keeps an image with its size and options, and drops one without a usable URL", () => {
    const data = {
      file: { url: "/storage/v1/object/public/post-images/w/i.png", width: 640, height: 480 },
      caption: "A <b>cat</b>",
      withBorder: true,
      stretched: false,
      withBackground: false,
    };
    expect(one("image", data)).toEqual({ type: "image", data });
    expect(one("image", { file: { url: "data:image/png;base64,AAAA" } })).toBeUndefined();
    expect(one("image", { caption: "nothing else" })).toBeUndefined();
  });
  test("keeps code as text", () => {
    expect(one("code", { code: "if (a < b && c > d) <script>\n\ttab" })).toEqual({
      type: "code",
      data: { code: "if (a < b && c > d) <script>\n\ttab" },
    });
  });
  test("keeps the language of code, known or not, and drops malformed ones", () => {
    const language = (given: unknown) => (one("code", { code: "x", language: given }) as { data: { language?: string } }).data.language;
    expect(["ts", "Objective-C", "c++", "brainf"].map(language)).toEqual(["ts", "objective-c", "c++", "brainf"]);
    expect(["", 'a"b', "two words", "1c", "x".repeat(31), null, {}].map(language)).toEqual(Array(7).fill(undefined));
  });
  test("stops at its limits", () => {
    let nested: unknown = { content: "deepest" };
    for (let depth = 0; depth < 5_000; depth++) nested = { content: String(depth), items: [nested] };
    const list = one("list", { items: [nested] });
    expect(JSON.stringify(list).match(/"content"/g)).toHaveLength(blockLimits.listDepth);
    expect(cleanBlocks(Array(5_000).fill({ type: "delimiter" })).blocks).toHaveLength(blockLimits.blocks);
    const wide = one("list", { items: Array(500).fill({ content: "x", items: Array(500).fill({ content: "y" }) }) });
    expect(JSON.stringify(wide).match(/"content"/g)).toHaveLength(blockLimits.listItems);
  });
  test("parses JSON text, and returns null for invalid JSON", () => {
    expect(parseBlocks('{"blocks":[{"type":"delimiter"}]}')?.blocks).toHaveLength(1);
    expect(parseBlocks("not json")).toBeNull();
  });
});

describe("cleaning one text", () => {
  test.each([
    ["<b>b</b> <i>i</i> <u>u</u> <s>s</s> <em>e</em> <strong>st</strong> a<br>b", undefined],
    ["10<sup>2</sup> CO<sub>2</sub>", undefined],
    ["<mark>m</mark>", '<mark class="cdx-marker">m</mark>'],
    ['<code class="x" onclick="y">c</code>', '<code class="inline-code">c</code>'],
    ['<a href="https://x.example/?a=1&amp;b=2" target="_blank">x</a>', '<a href="https://x.example/?a=1&amp;b=2">x</a>'],
    ['<a href="mailto:team@x.example">x</a>', undefined],
    ["<a>no address</a>", "no address"],
    ["<b>one<i>two</b>three</i>", "<b>one<i>two</i></b>three"],
    ["<b>open", "<b>open</b>"],
    ["stray</b>", "stray"],
    ["<span style='x'>kept</span><div>too</div>", "kepttoo"],
    ["1 < 2 and 3 > 2", "1 &lt; 2 and 3 &gt; 2"],
    ["I <3 you", "I &lt;3 you"],
    ['1 <2 "x" &amp; 3> y', '1 &lt;2 "x" &amp; 3&gt; y'],
    ["one<!-- gone <b> -->two<!-- to the end <b>", "onetwo"],
    ["one <<!-- gone -->two </<!-- gone -->three <<!-- to the end", "one &lt;two &lt;/three &lt;"],
    ['<b title=">">b</b>', "<b>b</b>"],
    ["&l<span>t;</span>", "&lt;"],
    ["AT&T &amp; &nbsp;&copy;", "AT&amp;T &amp; &nbsp;&copy;"],
    ["&lt;script&gt;", undefined],
    ["<B>UPPER</B><BR/>", "<b>UPPER</b><br>"],
  ])("%j", (input, output = input) => {
    expect(cleanInline(input)).toBe(output);
  });
});

describe("addresses", () => {
  test.each(["https://x.example/", "http://x.example/a?b#c", "mailto:a@x.example"])("allows a link to %s", (url) => {
    expect(safeLink(url)).toBe(url);
  });
  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "/relative",
    "//x.example",
    "ftp://x.example",
    "",
    "x",
    "https://",
    `https://x.example/${"a".repeat(3_000)}`,
  ])("rejects a link to %s", (url) => {
    expect(safeLink(url)).toBeNull();
  });
  test.each(["https://x.example/i.png", "/storage/v1/object/public/post-images/w/i.png"])("allows an image from %s", (url) => {
    expect(safeImageUrl(url)).toBe(url);
  });
  test.each([
    "/api/auth/logout",
    "/storage/v1/object/public/../../../../api/x",
    "/storage/v1/object/public/%2e%2e/%2e%2e/sign/x",
    "//x.example/storage/v1/object/public/i.png",
    "\\\\x.example/storage/v1/object/public/i.png",
    "/\\x.example/storage/v1/object/public/",
    "storage.png",
    "data:image/svg+xml,<svg/>",
    "blob:https://x.example/1",
    "javascript:alert(1)",
    "",
  ])("an image from %s is dropped", (url) => {
    expect(safeImageUrl(url)).toBeNull();
  });
});

describe("an empty post", () => {
  test.each([
    [[]],
    [[{ type: "paragraph", data: { text: " &nbsp;<br> " } }]],
    [[{ type: "paragraph", data: { text: "<b></b>" } }]],
    [[{ type: "delimiter" }, { type: "code", data: { code: "\n" } }]],
    [[{ type: "list", data: { items: [{ content: "" }] } }]],
    [[{ type: "table", data: { content: [["", " "]] } }]],
    [[{ type: "image", data: { file: { url: "javascript:1" } } }]],
  ])("is %j", (blocks) => {
    expect(isEmpty(cleanBlocks(blocks))).toBe(true);
  });
  test.each([
    [{ type: "paragraph", data: { text: "x" } }],
    [{ type: "image", data: { file: { url: "https://x.example/i.png" } } }],
    [{ type: "list", data: { items: [{ content: "", items: [{ content: "x" }] }] } }],
  ])("is not %j", (block) => {
    expect(isEmpty(cleanBlocks([block]))).toBe(false);
  });
});
