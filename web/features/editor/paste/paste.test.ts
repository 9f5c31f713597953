import type EditorJS from "@editorjs/editorjs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { readClipboard } from "./clipboard.ts";
import { htmlBlocks } from "./html-blocks.ts";
import { type ListBlock, listWith } from "./list-block.ts";
import { looksLikeMarkdown, markdownBlocks } from "./markdown-blocks.ts";
import { markdownInline } from "./markdown-inline.ts";
import { embeddedImage, editableBody } from "./pasted-html.ts";
import { listenForPaste } from "./paste.ts";
import { tableWith } from "./table-block.ts";
import { xssPayloads } from "../../../../tests/support/xss-payloads.ts";

const clipboard = (parts: Record<string, string>) => ({ getData: (type: string) => parts[type] ?? "", types: Object.keys(parts) });

const list = (...items: object[]) => ({ type: "list", data: { style: "unordered", items } });
const item = (content: string, ...items: object[]) => ({ content, items });
const text = (words: string) => ({ type: "paragraph", data: { text: words } });

describe("pasted Markdown", () => {
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
          type: "list",
          data: {
            style: "checklist",
            items: [
              { content: "open", meta: { checked: false } },
              { content: "done", meta: { checked: true } },
            ],
          },
        },
      ],
    ],
    [
      "> [!WARNING]\n> Mind\n> the gap\n> [!TIP]\n> more",
      [
        { type: "callout", data: { kind: "warning", text: "Mind<br>the gap" } },
        { type: "callout", data: { kind: "tip", text: "more" } },
      ],
    ],
    ["> said\n> twice", [{ type: "quote", data: { text: "said<br>twice" } }]],
    [
      "```ts\nlet x = 1;\n\nx++;\n```\nafter",
      [
        { type: "code", data: { code: "let x = 1;\n\nx++;", language: "typescript" } },
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
      'words\n![A cat](https://other.example/a.png "Cap")\nmore ![b](https://other.example/b.png)',
      [
        text("words"),
        { type: "image", data: { file: { url: "https://other.example/a.png" }, alt: "A cat", caption: "Cap" } },
        { type: "paragraph" },
      ],
    ],
    [
      "one\ntwo\n\nthree",
      [
        { type: "paragraph", data: { text: "one two" } },
        { type: "paragraph", data: { text: "three" } },
      ],
    ],
  ])("markdownBlocks reads %j", (text, blocks) => expect(markdownBlocks(text)).toMatchObject(blocks));

  test.each([
    ["**bold** and *soft* and `a<b`", '<b>bold</b> and <i>soft</i> and <code class="inline-code">a&lt;b</code>'],
    ["[link](https://example.com/a_b_c)", '<a href="https://example.com/a_b_c">link</a>'],
    ["[bad](javascript:alert(1))", "[bad](javascript:alert(1))"],
    ["[link](https://x.dev/__init__/_a_)", '<a href="https://x.dev/__init__/_a_">link</a>'],
    ["[wiki](https://x.dev/Foo_(bar)) and more", '<a href="https://x.dev/Foo_(bar)">wiki</a> and more'],
    ["[**bold** `code`](https://x.dev/)", '<a href="https://x.dev/"><b>bold</b> <code class="inline-code">code</code></a>'],
    ["see https://x.dev/__init__/_a_ now", 'see <a href="https://x.dev/__init__/_a">https://x.dev/__init__/_a</a>_ now'],
    ["[https://x.dev](https://y.dev) ~~gone~~", '<a href="https://y.dev/">https://x.dev</a> <s>gone</s>'],
    [
      "**https://x.dev** and ==https://y.dev/a==",
      '<b><a href="https://x.dev/">https://x.dev</a></b> and <mark class="cdx-marker"><a href="https://y.dev/a">https://y.dev/a</a></mark>',
    ],
    ["[https://x.dev](https://x.dev/a)", '<a href="https://x.dev/a">https://x.dev</a>'],
    ["`**a**` and **`b`**", '<code class="inline-code">**a**</code> and <b><code class="inline-code">b</code></b>'],
    ["snake_case_name 2 * 3 * 4", "snake_case_name 2 * 3 * 4"],
    ["<b>raw</b>", "&lt;b&gt;raw&lt;/b&gt;"],
  ])("markdownInline reads %j", (line, html) => expect(markdownInline(line)).toContain(html));

  test("markdownBlocks reverses blocksToMarkdown", () => {
    const text = "## Title\n\nSome **bold** words.\n\n- a\n- b\n\n1. one\n2. two\n\n> Quote\n\n```\ncode\n```";
    expect(blocksToMarkdown(cleanBlocks(markdownBlocks(text))).trim()).toBe(text);
  });

  test.each(["Just a sentence.", "Two\n\nparagraphs - with a dash", "5 > 3"])("looksLikeMarkdown is false for %j", (text) =>
    expect(looksLikeMarkdown(text)).toBe(false),
  );
});

describe("htmlBlocks of Word", () => {
  const item = (level: number, marker: string, text: string, list = 0) =>
    `<p class=MsoListParagraph style='mso-list:l${list} level${level} lfo${list + 1}'><span style='mso-list:Ignore'>${marker}<span>&nbsp;</span></span>${text}</p>`;

  test("nests lists by level", () => {
    const html = `<html><body><div class=WordSection1><h1>Title</h1>${item(1, "·", "<b>One</b>")}${item(2, "o", "Deep")}${item(1, "·", "Two")}<p class=MsoNormal>After</p>${item(1, "1.", "First")}</div></body></html>`;
    expect(htmlBlocks(html).blocks).toMatchObject([
      { type: "header", data: { text: "Title", level: 2 } },
      { type: "list", data: { style: "unordered", items: [{ content: "<b>One</b>", items: [{ content: "Deep" }] }, { content: "Two" }] } },
      { type: "paragraph", data: { text: "After" } },
      { type: "list", data: { style: "ordered", items: [{ content: "First" }] } },
    ]);
  });

  test("keeps adjacent lists apart, even if inner lines are a separate list", () => {
    const html = `${item(1, "·", "a")}${item(2, "1.", "deep", 7)}${item(1, "·", "b")}${item(1, "1.", "one", 1)}${item(1, "2.", "two", 1)}`;
    expect(htmlBlocks(`<div>${html}</div>`).blocks).toMatchObject([
      { type: "list", data: { style: "unordered", items: [{ content: "a", items: [{ content: "deep" }] }, { content: "b" }] } },
      { type: "list", data: { style: "ordered", items: [{ content: "one" }, { content: "two" }] } },
    ]);
  });
});

describe("editableBody", () => {
  const stored = "/storage/v1/object/public/post-images/a.png";
  const inside = "data:image/png;base64,iVBORw0KGgo=";

  test.each([
    [
      "images from other sites, to be copied",
      '<p>a<img src="https://other.example/b.png" onload="alert(1)" alt="A cat">c</p>',
      0,
      '<p>a<img src="https://other.example/b.png" alt="A cat">c</p>',
    ],
    [
      "the URL of lazy-loaded images",
      `<img src="${inside}" data-src="https://other.example/b.png"><img srcset="https://other.example/c.png 2x">`,
      0,
      '<img src="https://other.example/b.png"><img src="https://other.example/c.png">',
    ],
    [
      "emoji images as text and no tracking pixels",
      'a<img src="https://o.example/1.png" alt="🎉"><img src="https://o.example/2.png" alt=":tada:"><img src="https://o.example/t.gif" width=1 height=1>',
      0,
      "a🎉:tada:",
    ],
    ["no drawings, but counts them", '<svg viewBox="0 0 1 1"><path d=""/></svg>', 1, ""],
    ["the alternative text of unreachable images", '<img src="file:///C:/a.png" alt="A cat">', 1, "A cat"],
    ["images of this installation", `<img src="${stored}" onerror="alert(1)">`, 0, `<img src="${stored}">`],
    ["embedded images", `<img alt="x" src="${inside}">`, 0, `<img src="${inside}" alt="x">`],
    [
      "no drawings and links instead of frames",
      '<svg onload="alert(1)"></svg><iframe src="https://other.example"></iframe>',
      0,
      '<a href="https://other.example">Image</a>',
    ],
  ])("keeps %s", (_, html, leftOut, expected) => {
    const { body, leftOut: counted } = editableBody(html);
    expect([body.innerHTML, counted]).toEqual([expected, leftOut]);
  });

  test.each(["javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "vbscript:x"])("removes links to %j", (href) =>
    expect(editableBody(`<a href="${href}">x</a>`).body.innerHTML).toBe("x"),
  );

  test("htmlBlocks counts images embedded in Word HTML", () => {
    expect(htmlBlocks(`<p style='mso-list:l0 level1 lfo1'><img src="${inside}">a</p>`)).toMatchObject({
      blocks: [{ type: "list" }],
      leftOut: 1,
    });
  });

  test("embeddedImage returns a file", async () => {
    const file = embeddedImage(inside);
    expect(file.type).toBe("image/png");
    expect(file.size).toBe(8);
  });
});

describe("htmlBlocks", () => {
  test.each([
    [
      "inner lists beside the items (Google Docs)",
      "<ul><li>one</li><ul><li>nested</li></ul><li>two</li></ul>",
      [list(item("one", item("nested")), item("two"))],
    ],
    [
      "inner lists in the items",
      "<ul><li>one<ul><li>nested</li></ul></li><li>two</li></ul>",
      [list(item("one", item("nested")), item("two"))],
    ],
    ["a list copied from its second level", "<ul><ul><li>a</li><li>b</li></ul><li>c</li></ul>", [list(item("a"), item("b"), item("c"))]],
    ["a numbered list", "<ol><li>one</li></ol>", [{ type: "list", data: { style: "ordered", items: [item("one")] } }]],
    [
      "a GitHub task list",
      '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> open</li></ul>',
      [
        {
          type: "list",
          data: {
            style: "checklist",
            items: [
              { content: "done", meta: { checked: true } },
              { content: "open", meta: { checked: false } },
            ],
          },
        },
      ],
    ],
    [
      "code with a language",
      '<pre><code class="hljs language-go">x := 1</code></pre><pre class="lang-C++">y</pre>',
      [
        { type: "code", data: { code: "x := 1", language: "go" } },
        { type: "code", data: { code: "y", language: "cpp" } },
      ],
    ],
    [
      "a public page's callout and another aside",
      '<aside class="callout callout-tip" role="note"><span aria-hidden="true">Tip</span><p>Try <b>it</b></p></aside><aside>Aside</aside>',
      [{ type: "callout", data: { kind: "tip", text: "Try <b>it</b>" } }, text("Aside")],
    ],
    [
      "GitHub alerts",
      '<div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title"><svg></svg>Caution</p><p>Mind <b>it</b></p><p>twice</p></div><div class="markdown-alert markdown-alert-note">x</div>',
      [
        { type: "callout", data: { kind: "danger", text: "Mind <b>it</b><br>twice" } },
        { type: "callout", data: { kind: "info", text: "x" } },
      ],
    ],
    [
      "Notion callouts",
      '<aside>\n💡 A tip\n</aside><aside>⚠️ <strong>Mind</strong> it</aside><aside>🎉 Hooray</aside><figure class="block-color-gray_background callout"><div><span class="icon">🚨</span></div><div>Off</div></figure>',
      [
        { type: "callout", data: { kind: "tip", text: "A tip" } },
        { type: "callout", data: { kind: "warning", text: "<b>Mind</b> it" } },
        { type: "callout", data: { kind: "info", text: "🎉 Hooray" } },
        { type: "callout", data: { kind: "danger", text: "Off" } },
      ],
    ],
    ["lines in an item", "<ul><li>1<div>2</div>3</li></ul>", [list(item("1<br>2<br>3"))]],
    ["text after an item's inner list", "<ul><li>1<ul><li>a</li></ul>2</li></ul>", [list(item("1<br>2", item("a")))]],
    ["an item with two paragraphs", "<ul><li><p>one</p><p>more</p></li></ul>", [list(item("one<br>more"))]],
    [
      "superscript and subscript, also from Google Docs",
      '<p>10<sup>2</sup> CO<sub>2</sub> <span style="font-size:0.6em;vertical-align:super;">th</span></p>',
      [text("10<sup>2</sup> CO<sub>2</sub> <sup>th</sup>")],
    ],
    ["line breaks in a paragraph", "<p>one<br>two</p><p>three</p>", [text("one<br>two"), text("three")]],
    [
      "lines from Gmail",
      '<div dir="ltr">Hi all,<div><br></div><div>We shipped <b>dark mode</b>.</div><div>Enjoy!</div></div>',
      [text("Hi all,"), text("We shipped <b>dark mode</b>."), text("Enjoy!")],
    ],
    ["paragraphs separated by empty lines", "one<br><br>two", [text("one"), text("two")]],
    ["preformatted lines", '<span style="white-space: pre-wrap">one\ntwo</span>', [text("one<br>two")]],
    ["line breaks in the HTML source", "<p>one\n  two</p>", [text("one two")]],
    [
      "lines and lists in cells",
      "<table><tr><th>H</th><th>I</th></tr><tr><td>a<br>b</td><td><ul><li>x</li><li>y</li></ul></td></tr></table>",
      [
        {
          type: "table",
          data: {
            withHeadings: true,
            content: [
              ["H", "I"],
              ["a<br>b", "x<br>y"],
            ],
          },
        },
      ],
    ],
    [
      "a cell spanning two columns",
      "<table><tr><td colspan=2>a</td></tr><tr><td>b</td><td>c</td></tr></table>",
      [
        {
          data: {
            withHeadings: false,
            content: [
              ["a", ""],
              ["b", "c"],
            ],
          },
        },
      ],
    ],
    ["a layout table", "<table><tr><td><h2>a</h2><p>b</p></td></tr></table>", [{ type: "header" }, text("b")]],
    ["<strong> and <em>", "<p>a <strong>b</strong> <em>c</em> <del>d</del></p>", [text("a <b>b</b> <i>c</i> <s>d</s>")]],
    [
      "spans of Google Docs and its <b> with normal weight",
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><h1><span>Title</span></h1><p><span style="font-weight:400">Hello </span><span style="font-weight:700">bold</span><span style="font-style:italic"> ital</span> <span style="font-weight:400;text-decoration:line-through">gone</span> <a href="https://x.example/"><span style="text-decoration:underline">link</span></a></p></b>',
      [
        { type: "header", data: { text: "Title", level: 2 } },
        text('Hello <b>bold</b><i> ital</i> <s>gone</s> <a href="https://x.example/">link</a>'),
      ],
    ],
    [
      "part of a heading with Chromium's computed weight",
      '<span style="font-weight: 600; -webkit-text-stroke-width: 0px">piece</span>',
      [text("piece")],
    ],
    [
      "a quote with its attribution",
      "<figure><blockquote><p>one</p><p>two</p></blockquote><figcaption>Ada</figcaption></figure>",
      [{ type: "quote", data: { text: "one<br>two", caption: "Ada" } }],
    ],
    ["code", "<pre><code>a\n  b &lt; c\n</code></pre>", [{ type: "code", data: { code: "a\n  b < c" } }]],
    [
      "lines from a code editor",
      '<div style="font-family: Menlo;white-space: pre;"><div><span>a();</span></div><div><span>  b();</span></div></div>',
      [{ type: "code", data: { code: "a();\n  b();" } }],
    ],
    ["a divider", "<p>a</p><hr><p>b</p>", [text("a"), { type: "delimiter" }, text("b")]],
    [
      "a caption without its image",
      '<figure><img src="file:///a.png" alt="A"><figcaption>Cap</figcaption></figure>',
      [text("A"), text("Cap")],
    ],
    [
      "an image with its caption",
      '<figure><img src="/storage/v1/object/public/post-images/a.png"><figcaption>Cap</figcaption></figure>',
      [{ type: "image", data: { file: { url: "/storage/v1/object/public/post-images/a.png" }, caption: "Cap" } }],
    ],
    ["a definition list", "<dl><dt>Term</dt><dd>Meaning</dd></dl>", [text("Term"), text("Meaning")]],
    ["part of a line with its spaces", "\n<!--StartFragment-->a <b>b</b> <!--EndFragment-->\n", [text("a <b>b</b> ")]],
    ["nothing visible", "<style>p { color: red }</style><script>1</script><p>&nbsp;</p>", []],
  ])("reads %s", (_, html, blocks) => {
    const result = htmlBlocks(html).blocks;
    expect(result).toMatchObject(blocks);
    expect(result).toHaveLength(blocks.length);
  });

  test("keeps all lines of a deep list", () => {
    const html = `${"<ul><li>x".repeat(12)}${"</li></ul>".repeat(12)}`;
    expect(JSON.stringify(htmlBlocks(html).blocks).match(/"content":"x"/g)).toHaveLength(12);
  });
});

describe("inserting into a block", () => {
  const line = (html: string, depth = 0) => ({ depth, ordered: false, checked: null, html });
  const present = cleanBlocks([{ type: "list", data: { style: "ordered", items: [item("a", item("")), item("b")] } }])
    .blocks[0] as ListBlock;

  test("listWith adds items after the current one, on its level", () => {
    const { block, last } = listWith(present, 0, [line("x"), line("y", 1)]);
    expect(block).toMatchObject({ data: { style: "ordered", items: [item("a"), item("x", item("y"), item("")), item("b")] } });
    expect(last).toBe(2);
  });

  test("listWith replaces an empty item", () => {
    const { block, last } = listWith(present, 1, [line("x"), line("y")]);
    expect(block).toMatchObject({ data: { items: [item("a", item("x"), item("y")), item("b")] } });
    expect(last).toBe(2);
  });

  test("listWith adds checkbox items to a checklist", () => {
    const [checklist] = cleanBlocks([{ type: "checklist", data: { items: [{ text: "a", checked: true }] } }]).blocks as ListBlock[];
    const items = [
      { content: "a", meta: { checked: true }, items: [] },
      { content: "x", meta: { checked: false }, items: [] },
    ];
    expect(listWith(checklist!, 0, [line("x")]).block.data.items).toEqual(items);
  });

  test("tableWith overwrites cells and grows the table", () => {
    const added = [
      ["x", "y"],
      ["z", "w"],
    ];
    expect(tableWith([["a", "b", "c"]], { row: 0, column: 1 }, added)).toEqual([
      ["a", "x", "y"],
      ["", "z", "w"],
    ]);
  });
});

describe("readClipboard", () => {
  test("reads HTML from a web page and text from a code editor", () => {
    const parts = { "text/html": "<p># Title</p>", "text/plain": "# Title" };
    expect(readClipboard(clipboard(parts))).toMatchObject({ kind: "html", blocks: [{ type: "paragraph" }] });
    expect(readClipboard(clipboard({ ...parts, "vscode-editor-data": "{}" }))).toMatchObject({
      kind: "markdown",
      blocks: [{ type: "header" }],
    });
    expect(readClipboard(clipboard({ "text/plain": "plain <words>\n\nmore" }))).toMatchObject({
      kind: "text",
      blocks: [text("plain &lt;words&gt;"), text("more")],
    });
  });

  test("reads blocks from another block editor, sanitised", () => {
    const saved = [
      { id: "a", tool: "code", data: { code: "a\n  b" }, tunes: {} },
      { tool: "paragraph", data: { text: '<a href="https://x.example/">link</a><img src=x onerror="alert(1)">' } },
      null,
    ];
    const parts = { "text/html": '<p><a href="https://x.example/">link</a></p>', "application/x-editor-js": JSON.stringify(saved) };
    expect(readClipboard(clipboard(parts))).toEqual({
      kind: "blocks",
      blocks: [
        { type: "code", data: { code: "a\n  b" } },
        { type: "paragraph", data: { text: '<a href="https://x.example/">link</a>' } },
      ],
      text: "",
      leftOut: 0,
    });
    expect(readClipboard(clipboard({ ...parts, "application/x-editor-js": "{broken" }))).toMatchObject({ kind: "html" });
  });

  test.each(xssPayloads.map((payload) => [payload]))("makes %j harmless", (payload) => {
    const word = `<p style='mso-list:l0 level1 lfo1'>${payload}</p>`;
    const own = JSON.stringify([
      { tool: "paragraph", data: { text: payload } },
      { tool: "table", data: { content: [[payload]] } },
      { tool: "unknown", data: { text: payload } },
    ]);
    const forms: Record<string, string>[] = [
      { "text/plain": `- ${payload}\n# ${payload}` },
      { "text/plain": payload },
      { "text/html": word },
      { "text/html": `<p>a</p>${payload}<ul><li>${payload}</li></ul>` },
      { "application/x-editor-js": own },
    ];
    for (const parts of forms) {
      const { blocks } = readClipboard(clipboard(parts));
      const host = document.createElement("div");
      host.innerHTML = blocks
        .filter(({ type }) => type !== "code")
        .flatMap((block) => JSON.stringify(Object.values(block.data)).match(/"(?:[^"\\]|\\.)*"/g) ?? [])
        .map((string) => JSON.parse(string) as string)
        .join("\n");
      expect(host.querySelector("script, img, svg, iframe, object, embed, style, link, form, [style]")).toBeNull();
      const attributes = [...host.querySelectorAll("*")].flatMap((element) => [...element.attributes]);
      expect(attributes.filter(({ name, value }) => name.startsWith("on") || /^\s*(?:javascript|data|vbscript):/i.test(value))).toEqual([]);
    }
  });
});

describe("listenForPaste with files", () => {
  const png = new File(["x"], "x.png", { type: "image/png" });
  const svg = new File(["<svg/>"], "x.svg", { type: "image/svg+xml" });
  const pdf = new File(["%PDF"], "x.pdf", { type: "application/pdf" });

  /** Pastes or drops files. Returns how often a rejection was shown and how often Editor.js got the event. */
  function transfer(type: string, files: File[], html = "") {
    const holder = document.body.appendChild(document.createElement("div"));
    const onFilesRejected = vi.fn();
    const editor = {
      readOnly: { isEnabled: false },
      blocks: { insert: vi.fn(), getCurrentBlockIndex: () => 0 },
      caret: { setToBlock: vi.fn() },
    };
    const listener = { recordUndo: vi.fn(), onChange: vi.fn(), onLeftOut: vi.fn(), onFilesRejected };
    const stop = listenForPaste(
      holder,
      { ...editor, blocks: { ...editor.blocks, getBlockByIndex: vi.fn() } } as unknown as EditorJS,
      listener,
    );
    onTestFinished(() => (stop(), holder.remove()));
    const reached = vi.fn();
    holder.addEventListener(type, reached);
    const data = { types: ["Files", "text/html"], files, getData: (form: string) => (form === "text/html" ? html : "") };
    holder.dispatchEvent(Object.assign(new Event(type, { bubbles: true, cancelable: true }), { clipboardData: data, dataTransfer: data }));
    return { rejections: onFilesRejected.mock.calls.length, reached: reached.mock.calls.length, inserted: editor.blocks.insert.mock.calls };
  }

  test.each([
    ["paste", [png], 0],
    ["paste", [pdf], 1],
    ["paste", [], 1],
    ["drop", [svg], 1],
    ["drop", [png, pdf, svg], 1],
  ])("%s shows one rejection and passes the event to Editor.js (%#)", (type, files, rejections) => {
    expect(transfer(type, files)).toMatchObject({ rejections, reached: 1 });
  });

  test("an image copied in a browser is passed to Editor.js as a file, with or without HTML", () => {
    expect(transfer("paste", [png], '<meta charset="utf-8"><img src="https://other.example/a.png" alt="A">')).toMatchObject({
      rejections: 0,
      reached: 1,
    });
  });

  test("cells copied in Excel become a table, not an image", () => {
    const { reached, inserted } = transfer("paste", [png], "<style>td {color: red}</style><table><tr><td>a</td><td>b</td></tr></table>");
    expect([reached, inserted.map(([type]) => type as string)]).toEqual([0, ["table"]]);
  });
});
