import { fc, test } from "../../tests/support/properties.ts";
import { describe, expect } from "vitest";
import { boundsProblem } from "#contract/blocks/bounds.ts";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { blocksFromMarkdown, MarkdownProblem } from "#contract/blocks/from-markdown.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { decodeEntities } from "#contract/blocks/text.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import type { ListItem } from "#contract/blocks/types/list.ts";
import { hostileMarkdown } from "../../tests/support/hostile-parts.ts";
import { isLinear } from "../../tests/support/linear-time.ts";
import { markdowns, posts } from "../../tests/support/any-posts.ts";
import { xssPayloads } from "../../tests/support/xss-payloads.ts";

const read = (markdown: string) => blocksFromMarkdown(markdown).blocks.map(({ type, data }) => ({ type, data }));
const whole = (markdown: string) => blocksToMarkdown(blocksFromMarkdown(markdown), { whole: true });

describe("Markdown as blocks", () => {
  const codeMark = (text: string) => `<code class="inline-code">${text}</code>`;
  const paragraph = (text: string) => ({ type: "paragraph", data: { text } });
  const item = (content: string, items: object[] = [], meta: object = {}) => ({ content, meta, items });
  const list = (style: string, items: object[], meta: object = {}) => ({ type: "list", data: { style, meta, items } });
  const picture = { withBorder: false, stretched: false, withBackground: false };
  const image = (url: string, alt?: string, caption = "") => ({
    type: "image",
    data: { file: { url }, ...(alt && { alt }), caption, ...picture },
  });

  test.each([
    [
      "marks",
      "a **b** *c* ~~d~~ `e` <u>f</u> <mark>g</mark> 10<sup>2</sup> CO<sub>2</sub>",
      [paragraph(`a <b>b</b> <i>c</i> <s>d</s> ${codeMark("e")} <u>f</u> <mark class="cdx-marker">g</mark> 10<sup>2</sup> CO<sub>2</sub>`)],
    ],
    ["lines", "one\ntwo  \nthree\\\nfour", [paragraph("one two<br>three<br>four")]],
    [
      "links",
      "[a](https://x.example) [b][1] [c][2]\n\n[1]: https://y.example 'T'",
      [paragraph('<a href="https://x.example/">a</a> <a href="https://y.example/">b</a> [c][2]')],
    ],
    [
      "addresses",
      "See https://x.example/a_b. Or www.x.example, a@b.example!",
      [
        paragraph(
          'See <a href="https://x.example/a_b">https://x.example/a_b</a>. Or <a href="http://www.x.example/">www.x.example</a>, <a href="mailto:a@b.example">a@b.example</a>!',
        ),
      ],
    ],
    [
      "an address in parentheses",
      "(https://x.example/a_(b))",
      [paragraph('(<a href="https://x.example/a_(b)">https://x.example/a_(b)</a>)')],
    ],
    ["an escaped address", "https\\://x.example", [paragraph("https://x.example")]],
    ["addresses that may not be", "[a](javascript:alert(1)) [b](/c) <javascript:alert(1)>", [paragraph("a b javascript:alert(1)")]],
    [
      "headings",
      "# A\n\n## B\n\nC\n===\n\n##### D",
      [2, 2, 2, 4].map((level, at) => ({ type: "header", data: { text: "ABCD"[at], level } })),
    ],
    ["a list", "- a\n- b\n  1. c\n     - d", [list("unordered", [item("a"), item("b", [item("c", [item("d")])])])]],
    ["a numbered list", "3) a\n4) b", [list("ordered", [item("a"), item("b")], { start: 3 })]],
    [
      "a task list",
      "- [x] a\n- [ ] b\n- [ ]",
      [list("checklist", [item("a", [], { checked: true }), item("b", [], { checked: false }), item("", [], { checked: false })])],
    ],
    ["a box behind an empty item", "*\n[x] a **b**", [list("unordered", [item("")]), paragraph("[x] a <b>b</b>")]],
    ["tasks below numbers", "1. a\n   - [x] b", [list("ordered", [item("a", [item("☑ b")])])]],
    [
      "code in a list",
      "1. a\n   ```sh\n   b\n   ```\n   c\n2. d",
      [
        list("ordered", [item("a")]),
        { type: "code", data: { code: "b", language: "bash" } },
        paragraph("c"),
        list("ordered", [item("d")], { start: 2 }),
      ],
    ],
    ["paragraphs in an item", "- a\n\n  b\n- c", [list("unordered", [item("a<br>b"), item("c")])]],
    [
      "a quote",
      "> a\n> b\n>\n> c\n> > d\n>\n> — *e*",
      [{ type: "quote", data: { text: "a b<br><br>c<br><br>d", caption: "<i>e</i>", alignment: "left" } }],
    ],
    ["a callout", "> [!WARNING]\n> a\n>\n> - b\n> - c", [{ type: "callout", data: { kind: "warning", text: "a<br><br>• b<br>• c" } }]],
    [
      "every kind of callout",
      ["NOTE", "tip", "IMPORTANT", "Caution"].map((kind) => `> [!${kind}]\n> x`).join("\n\n"),
      ["info", "tip", "info", "danger"].map((kind) => ({ type: "callout", data: { kind, text: "x" } })),
    ],
    ["no callout", "> \\[!NOTE]\n> a", [{ type: "quote", data: { text: "[!NOTE] a", caption: "", alignment: "left" } }]],
    [
      "code",
      "```TypeScript {1}\nlet a;\n```\n\n~~~\n```\n~~~\n\n    c",
      [
        { type: "code", data: { code: "let a;", language: "typescript" } },
        { type: "code", data: { code: "```" } },
        { type: "code", data: { code: "c" } },
      ],
    ],
    [
      "a table",
      "| a | b |\n| :- | -: |\n| `c\\|d` | e<br>f |\n| g |",
      [
        {
          type: "table",
          data: {
            withHeadings: true,
            stretched: false,
            content: [
              ["a", "b"],
              [codeMark("c|d"), "e<br>f"],
              ["g", ""],
            ],
          },
        },
      ],
    ],
    ["a broken table", "| a | b |\n| - |\n| c |", [paragraph("| a | b | | - | | c |")]],
    ["a divider", "a\n\n---\n\nb", [paragraph("a"), { type: "delimiter", data: {} }, paragraph("b")]],
    ["an image", '![A](https://x.example/i.png "B")', [image("https://x.example/i.png", "A", "B")]],
    ["images between words", "a\n![](https://x.example/i.png)\nb", [paragraph("a"), image("https://x.example/i.png"), paragraph("b")]],
    [
      "a linked image",
      "[![a](https://x.example/i.png)](https://y.example)",
      [image("https://x.example/i.png", "a", '<a href="https://y.example/">a</a>')],
    ],
    ["an image in a list", "- a ![b](https://x.example/i.png)", [list("unordered", [item('a <a href="https://x.example/i.png">b</a>')])]],
    ["an image without an address we show", "![a](./i.png)", [paragraph("a")]],
    [
      "an image with what is noted behind it, on its line or the next",
      'a ![b](https://x.example/i.png)<!-- tidings {"file":{"width":3,"height":2}} --> c\n\n![](https://x.example/i.png)\n<!-- tidings {"width":50} -->',
      [
        paragraph("a"),
        { type: "image", data: { ...image("", "b").data, file: { url: "https://x.example/i.png", width: 3, height: 2 } } },
        paragraph("c"),
        { type: "image", data: { ...image("https://x.example/i.png").data, width: 50 } },
      ],
    ],
    [
      "a linked image with its size",
      '[![a](https://x.example/i.png)<!-- tidings {"file":{"width":3,"height":2}} -->](https://y.example)',
      [
        {
          type: "image",
          data: {
            ...image("", "a", '<a href="https://y.example/">a</a>').data,
            file: { url: "https://x.example/i.png", width: 3, height: 2 },
          },
        },
      ],
    ],
    [
      "notes where no image is",
      'a<!-- tidings {"text":"b"} -->\n\n- ![c](https://x.example/i.png)<!-- tidings {"file":{"width":3,"height":2}} -->\n\n| ![c](https://x.example/i.png)<!-- tidings {"file":{"width":3}} --> |\n| - |',
      [
        paragraph("a"),
        list("unordered", [item('<a href="https://x.example/i.png">c</a>')]),
        { type: "table", data: { withHeadings: true, stretched: false, content: [['<a href="https://x.example/i.png">c</a>']] } },
      ],
    ],
    [
      "an image as GitHub writes it",
      '<img width="640" alt="A &amp; b" src="https://x.example/i.png" />',
      [image("https://x.example/i.png", "A &amp; b")],
    ],
    [
      "a video",
      "https://youtu.be/aqz-KE-bpKQ\n\n<https://vimeo.com/1>\n\n[Watch on Vimeo](https://vimeo.com/2)",
      ["https://www.youtube.com/watch?v=aqz-KE-bpKQ", "https://vimeo.com/1", "https://vimeo.com/2"].map((url) => ({
        type: "embed",
        data: { url, caption: "" },
      })),
    ],
    ["a link to a video", "[a](https://vimeo.com/1)", [paragraph('<a href="https://vimeo.com/1">a</a>')]],
    [
      "HTML",
      "<details>\n<summary>A</summary>\n\nb\n\n</details>\n\n<p>c</p><p>d <b>e</b></p><hr>",
      [paragraph("A"), paragraph("b"), paragraph("c"), paragraph("d <b>e</b>"), { type: "delimiter", data: {} }],
    ],
    [
      "scripts, styles, comments",
      "<script>\nalert(1)\n</script>\n\n<style>p{}</style>\n\n<!-- a\n\nb -->\n\nc <!-- d --> e <i onclick=alert(1)>f</i>",
      [paragraph("c  e <i>f</i>")],
    ],
    ["footnotes", "a[^1]\n\n[^1]: b c", [paragraph("a[^1]"), paragraph("[^1]: b c")]],
    ["front matter", "---\ntitle: A\ntags: [b]\n---\nc", [paragraph("c")]],
    [
      "no front matter",
      "---\n\ntitle: a\n\n---",
      [{ type: "delimiter", data: {} }, paragraph("title: a"), { type: "delimiter", data: {} }],
    ],
    [
      "Windows' line ends and a mark at the beginning",
      "\ufeff# a\r\n\r\nb\r\n",
      [{ type: "header", data: { text: "a", level: 2 } }, paragraph("b")],
    ],
    ["nothing", " \n\n", []],
  ])("%s", (_name, markdown, blocks) => {
    expect(read(markdown)).toEqual(blocks);
    expect(whole(whole(markdown))).toBe(whole(markdown));
  });

  test("a list deeper than the limit continues on the last level, with all its words", () => {
    const markdown = Array.from({ length: 12 }, (_, depth) => `${"  ".repeat(depth)}- ${depth}`).join("\n");
    const content = blocksFromMarkdown(markdown);
    expect(boundsProblem(content)).toBeNull();
    expect(content.blocks[0]).toMatchObject({ type: "list" });
    for (let depth = 0; depth < 12; depth++) expect(JSON.stringify(content)).toContain(`"content":"${depth}"`);
  });

  test("images in this installation's storage lose its origin", () => {
    const [block] = blocksFromMarkdown("![](https://acme.example/storage/v1/object/public/post-images/a.png)", {
      base: "https://acme.example",
    }).blocks;
    expect(block?.data).toMatchObject({ file: { url: "/storage/v1/object/public/post-images/a.png" } });
  });
});

function seen(html: string): string[] {
  const open: string[] = [];
  const signs: string[] = [];
  for (const [match, slash, name, href] of html.matchAll(/<br>|<(\/?)([a-z]+)(?: class="[^"]*")?(?: href="([^"]*)")?>|[^<]+/g)) {
    const inCode = open.indexOf("code");
    if (match === "<br>") signs.push("\n");
    else if (slash === "/") open.pop();
    else if (name !== undefined) open.push({ strong: "b", em: "i", a: decodeEntities(href ?? "") }[name] ?? name);
    else {
      const marks = [...new Set(inCode === -1 ? open : open.slice(0, inCode + 1))].sort().join(" ");
      for (const sign of decodeEntities(match)) {
        if (!/[ \t\n\r]/.test(sign)) signs.push(`${sign} ${marks}`);
        else if (!/^\s$/.test(signs.at(-1) ?? " ")) signs.push(" ");
      }
    }
  }
  const lines = signs.filter((sign, at) => sign !== " " || (signs[at + 1] ?? "\n") !== "\n");
  while (/^\s$/.test(lines.at(-1) ?? "")) lines.pop();
  while (/^\s$/.test(lines[0] ?? "")) lines.shift();
  return lines;
}
const seenItems = (items: readonly ListItem[], isTicked: boolean): unknown[] =>
  items.map(({ content, meta, items: below }) => [seen(content), isTicked && meta.checked === true, seenItems(below, isTicked)]);

function seenOf({ type, data }: Block): unknown {
  switch (type) {
    case "paragraph":
      return seen(data.text).length === 0 ? null : [type, seen(data.text)];
    case "header":
      return [type, Math.min(Math.max(data.level, 2), 4), seen(data.text)];
    case "list": {
      const { start = 1, counterType } = data.meta;
      return [type, data.style, data.style === "ordered" ? start : 1, counterType, seenItems(data.items, data.style === "checklist")];
    }
    case "image":
      return [type, { ...data, caption: seen(data.caption), alt: inlineText(data.alt ?? "") }];
    case "embed":
      return [type, data.url, seen(data.caption)];
    case "callout":
      return [type, data.kind, seen(data.text)];
    case "quote":
      return seen(data.text + data.caption).length === 0 ? null : [type, seen(data.text), seen(data.caption), data.alignment];
    case "table": {
      const rows = data.content.map((row) => row.map(seen));
      if (rows.flat(2).length === 0) return null;
      const hasHead = data.withHeadings && rows[0]!.some((cell) => cell.length > 0);
      return [type, data.stretched, hasHead, data.withHeadings && !hasHead ? rows.slice(1) : rows];
    }
    case "code":
      return [type, data.code.replace(/\r\n?/g, "\n"), data.language];
    default:
      return [type, data];
  }
}
const seenPost = (blocks: readonly Block[]) => blocks.map(seenOf).filter((block) => block !== null);

describe("the way to Markdown and back", () => {
  test.prop([posts], { numRuns: 200 })("keeps everything visible in a post", (input) => {
    const content = cleanBlocks(input);
    const markdown = blocksToMarkdown(content, { whole: true });
    expect(seenPost(blocksFromMarkdown(markdown).blocks), markdown).toEqual(seenPost(content.blocks));
  });
  test.prop([posts])("changes nothing on a second pass", (input) => {
    const once = whole(blocksToMarkdown(cleanBlocks(input), { whole: true }));
    expect(whole(once)).toBe(once);
  });
  test.prop([markdowns], { numRuns: 200 })("changes no Markdown on a second pass, and everything stays clean", (markdown) => {
    const content = blocksFromMarkdown(markdown);
    expect(cleanBlocks(content, unlimited)).toEqual(content);
    const once = blocksToMarkdown(content, { whole: true });
    expect(whole(once), markdown).toBe(once);
  });
  test.prop([fc.string({ unit: "binary" })])("produces clean content for any text", (text) => {
    const content = blocksFromMarkdown(text);
    expect(cleanBlocks(content, unlimited)).toEqual(content);
  });
  test.each(xssPayloads)("of %j leaves only what cleaning leaves", (payload) => {
    for (const markdown of [
      payload,
      `> [!NOTE]\n> ${payload}`,
      `| a |\n| - |\n| ${payload} |`,
      `- ${payload}`,
      `[${payload}](${payload})`,
      `![${payload}](${payload} "${payload}")`,
    ]) {
      const content = blocksFromMarkdown(markdown);
      expect(cleanBlocks(content, unlimited)).toEqual(content);
      expect(JSON.stringify(content)).not.toMatch(/<(?!\/?(?:b|i|u|s|em|strong|br|mark|code|a)\b)/i);
    }
  });
});

describe("too much Markdown", () => {
  test("is refused with a sentence", () => {
    expect(() => blocksFromMarkdown("a".repeat(2_000_000))).toThrow(new MarkdownProblem("Markdown can have at most 400,000 characters"));
    expect(() => blocksFromMarkdown("\n".repeat(20_000))).toThrow(new MarkdownProblem("Markdown can have at most 20,000 lines"));
    expect(() => blocksFromMarkdown("- - - - - - - a\n".repeat(900))).toThrow(
      new MarkdownProblem("Markdown can have at most 6,000 list items"),
    );
    expect(() => blocksFromMarkdown("> > a\n".repeat(16_000))).toThrow(
      new MarkdownProblem("Markdown can have at most 30,000 lines of quotes"),
    );
    expect(() => blocksFromMarkdown("|".repeat(20_001))).toThrow(new MarkdownProblem("Markdown can have at most 20,000 table cells"));
    expect(() => blocksFromMarkdown("a".repeat(100_001))).toThrow(
      new MarkdownProblem("Markdown can have at most 100,000 characters in a line"),
    );
    expect(() => blocksFromMarkdown("a\n\n".repeat(1_001))).toThrow(new MarkdownProblem("A post can have at most 1,000 blocks"));
    expect(() => blocksFromMarkdown("a".repeat(60_000))).toThrow(new MarkdownProblem("A block can have at most 50,000 characters"));
  });

  test.each(hostileMarkdown)("%j, repeated, takes linear time", (part) => {
    const read = (markdown: string) => {
      try {
        blocksFromMarkdown(markdown);
      } catch (error) {
        expect(error).toBeInstanceOf(MarkdownProblem);
      }
    };
    expect(isLinear(read, part)).toBe(true);
  });
});
