import { describe, expect, test } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { looksLikeMarkdown, markdownBlocks } from "../../web/features/editor/model/markdown-blocks.ts";
import { markdownInline } from "../../web/features/editor/model/markdown-inline.ts";
import { pastedBlocks } from "../../web/features/editor/model/paste.ts";
import { embeddedPicture, editableHtml } from "../../web/features/editor/model/pasted-html.ts";
import { wordBlocks } from "../../web/features/editor/model/word-blocks.ts";
import { xssPayloads } from "../support/xss-payloads.ts";

const clipboard = (parts: Record<string, string>) => ({ getData: (type: string) => parts[type] ?? "", types: Object.keys(parts) });

describe("Markdown", () => {
  test.each([
    ["# One", [{ type: "header", data: { text: "One", level: 2 } }]],
    ["### Three ###", [{ type: "header", data: { text: "Three", level: 3 } }]],
    ["- a\n- b", [{ type: "list", data: { style: "unordered", items: [{ content: "a" }, { content: "b" }] } }]],
    ["1. a\n2) b", [{ type: "list", data: { style: "ordered", items: [{ content: "a" }, { content: "b" }] } }]],
    ["- a\n  - deep\n- b", [{ type: "list", data: { items: [{ content: "a", items: [{ content: "deep" }] }, { content: "b" }] } }]],
    [
      "- [ ] open\n- [x] done",
      [
        {
          type: "checklist",
          data: {
            items: [
              { text: "open", checked: false },
              { text: "done", checked: true },
            ],
          },
        },
      ],
    ],
    ["> said\n> twice", [{ type: "quote", data: { text: "said<br>twice" } }]],
    [
      "```ts\nlet x = 1;\n\nx++;\n```\nafter",
      [
        { type: "code", data: { code: "let x = 1;\n\nx++;" } },
        { type: "paragraph", data: { text: "after" } },
      ],
    ],
    ["```\nnever closed", [{ type: "code", data: { code: "never closed" } }]],
    [
      "| A | B |\n| --- | :-: |\n| 1 | 2 |",
      [
        {
          type: "table",
          data: {
            withHeadings: true,
            content: [
              ["A", "B"],
              ["1", "2"],
            ],
          },
        },
      ],
    ],
    ["---", [{ type: "delimiter" }]],
    [
      "one\ntwo\n\nthree",
      [
        { type: "paragraph", data: { text: "one two" } },
        { type: "paragraph", data: { text: "three" } },
      ],
    ],
  ])("%j becomes blocks", (text, blocks) => expect(markdownBlocks(text)).toMatchObject(blocks));

  test.each([
    ["**bold** and *soft* and `a<b`", '<b>bold</b> and <i>soft</i> and <code class="inline-code">a&lt;b</code>'],
    ["[link](https://example.com/a_b_c)", '<a href="https://example.com/a_b_c">link</a>'],
    ["[bad](javascript:alert(1))", "[bad](javascript:alert(1))"],
    ["[link](https://x.dev/__init__/_a_)", '<a href="https://x.dev/__init__/_a_">link</a>'],
    ["[wiki](https://x.dev/Foo_(bar)) and more", '<a href="https://x.dev/Foo_(bar)">wiki</a> and more'],
    ["[**bold** `code`](https://x.dev/)", '<a href="https://x.dev/"><b>bold</b> <code class="inline-code">code</code></a>'],
    ["see https://x.dev/__init__/_a_ now", "see https://x.dev/__init__/_a_ now"],
    ["**https://x.dev** and ==https://y.dev/a==", '<b>https://x.dev</b> and <mark class="cdx-marker">https://y.dev/a</mark>'],
    ["[https://x.dev](https://x.dev/a)", '<a href="https://x.dev/a">https://x.dev</a>'],
    ["`**a**` and **`b`**", '<code class="inline-code">**a**</code> and <b><code class="inline-code">b</code></b>'],
    ["snake_case_name 2 * 3 * 4", "snake_case_name 2 * 3 * 4"],
    ["<b>raw</b>", "&lt;b&gt;raw&lt;/b&gt;"],
  ])("%j inside a line", (line, html) => expect(markdownInline(line)).toContain(html));

  test("what was copied as Markdown comes back as it was", () => {
    const text = "## Title\n\nSome **bold** words.\n\n- a\n- b\n\n1. one\n2. two\n\n> Quote\n\n```\ncode\n```";
    expect(blocksToMarkdown(cleanBlocks(markdownBlocks(text))).trim()).toBe(text);
  });

  test.each(["Just a sentence.", "Two\n\nparagraphs - with a dash", "5 > 3"])("%j is no Markdown", (text) =>
    expect(looksLikeMarkdown(text)).toBe(false),
  );
});

describe("Word", () => {
  const item = (level: number, marker: string, text: string) =>
    `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><span style='mso-list:Ignore'>${marker}<span>&nbsp;</span></span>${text}</p>`;

  test("lists are lists again, nested by their level", () => {
    const html = `<html><body><div class=WordSection1><h1>Title</h1>${item(1, "·", "<b>One</b>")}${item(2, "o", "Deep")}${item(1, "·", "Two")}<p class=MsoNormal>After</p>${item(1, "1.", "First")}</div></body></html>`;
    expect(wordBlocks(html)).toMatchObject([
      { type: "header", data: { text: "Title", level: 2 } },
      { type: "list", data: { style: "unordered", items: [{ content: "<b>One</b>", items: [{ content: "Deep" }] }, { content: "Two" }] } },
      { type: "paragraph", data: { text: "After" } },
      { type: "list", data: { style: "ordered", items: [{ content: "First" }] } },
    ]);
  });
});

describe("pictures in pasted HTML", () => {
  const stored = "/storage/v1/object/public/post-images/a.png";
  const inside = "data:image/png;base64,iVBORw0KGgo=";

  test.each([
    [
      "of another site become links, and are counted",
      '<p>a<img src="https://other.example/b.png" alt="A cat">c</p>',
      1,
      '<p>a<a href="https://other.example/b.png">A cat</a>c</p>',
    ],
    ["of no address anybody could reach leave their name", '<img src="file:///C:/a.png" alt="A cat">', 1, "A cat"],
    ["of this installation stay", `<img src="${stored}" onerror="alert(1)">`, 0, `<img src="${stored}">`],
    ["that the HTML carries in itself stay", `<img alt="x" src="${inside}">`, 0, `<img src="${inside}">`],
    [
      "that are no pictures at all go",
      '<svg onload="alert(1)"></svg><iframe src="https://other.example"></iframe>',
      0,
      '<a href="https://other.example">Picture</a>',
    ],
  ])("%s", (_, html, leftOut, kept) => expect(editableHtml(html)).toEqual({ html: kept, leftOut }));

  test.each(["javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "vbscript:x"])("a link to %j is text", (href) =>
    expect(editableHtml(`<a href="${href}">x</a>`).html).toBe("x"),
  );

  test("carried in the HTML of Word, whose lists are read here, are counted too", () => {
    expect(editableHtml(`<img src="${inside}">`, false)).toEqual({ html: "", leftOut: 1 });
  });

  test("become files", async () => {
    const file = embeddedPicture(inside);
    expect(file.type).toBe("image/png");
    expect(file.size).toBe(8);
  });
});

describe("the clipboard", () => {
  test("of a web page is left to the editor, that of a code editor is read as text", () => {
    const parts = { "text/html": "<p># Title</p>", "text/plain": "# Title" };
    expect(pastedBlocks(clipboard(parts))).toEqual([]);
    expect(pastedBlocks(clipboard({ ...parts, "vscode-editor-data": "{}" }))).toMatchObject([{ type: "header" }]);
    expect(pastedBlocks(clipboard({ "text/plain": "plain words" }))).toEqual([]);
  });

  test.each(xssPayloads.map((payload) => [payload]))("nothing of %j can run", (payload) => {
    const word = `<p style='mso-list:l0 level1 lfo1'>${payload}</p>`;
    for (const blocks of [
      pastedBlocks(clipboard({ "text/plain": `- ${payload}\n# ${payload}` })),
      pastedBlocks(clipboard({ "text/html": word })),
    ]) {
      const host = document.createElement("div");
      host.innerHTML = blocks
        .flatMap((block) => JSON.stringify(Object.values(block.data)).match(/"(?:[^"\\]|\\.)*"/g) ?? [])
        .map((text) => JSON.parse(text))
        .join("\n");
      expect(host.querySelector("script, img, svg, iframe, object, embed, style, link, form, [style]")).toBeNull();
      const attributes = [...host.querySelectorAll("*")].flatMap((element) => [...element.attributes]);
      expect(attributes.filter(({ name, value }) => name.startsWith("on") || /^\s*(?:javascript|data|vbscript):/i.test(value))).toEqual([]);
    }
  });
});
