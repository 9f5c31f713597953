import { describe, expect, test } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { imageWidth } from "#contract/blocks/types/image.ts";
import { excerpt, shorten } from "#contract/blocks/excerpt.ts";
import { blocksToText } from "#contract/blocks/plain-text.ts";
import { blocksToHtml } from "#contract/blocks/to-html.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";

const html = (type: string, data: unknown, base?: string): string => blocksToHtml(cleanBlocks([{ type, data }]), { base });
const markdown = (type: string, data: unknown): string => blocksToMarkdown(cleanBlocks([{ type, data }]), { base: "https://acme.example" });
const file = { url: "/storage/v1/object/public/post-images/w/i.png" };

describe("as HTML", () => {
  test("texts, without the editor's classes", () => {
    expect(html("paragraph", { text: 'a <mark>b</mark> <code>c</code> <a href="https://x.example">d</a>' })).toBe(
      '<p>a <mark>b</mark> <code>c</code> <a rel="noopener" href="https://x.example/">d</a></p>',
    );
  });
  test.each([
    [1, "h2"],
    [2, "h2"],
    [3, "h3"],
    [4, "h4"],
    [6, "h4"],
  ])("a header of level %i as %s, below the post's title", (level, tag) => {
    expect(html("header", { text: "H", level })).toBe(`<${tag}>H</${tag}>`);
  });
  test("nested, numbered and checklist lists", () => {
    expect(html("list", { style: "unordered", items: [{ content: "a", items: [{ content: "b" }] }] })).toBe(
      "<ul><li>a<ul><li>b</li></ul></li></ul>",
    );
    expect(html("list", { style: "ordered", meta: { start: 3, counterType: "lower-alpha" }, items: ["a"] })).toBe(
      '<ol start="3" type="a"><li>a</li></ol>',
    );
    expect(html("list", { style: "checklist", items: [{ content: "a", meta: { checked: true } }, { content: "b" }] })).toBe(
      '<ul class="checklist"><li><span role="img" aria-label="Done">☑</span> a</li><li><span role="img" aria-label="Open">☐</span> b</li></ul>',
    );
    expect(html("checklist", { items: [{ text: "a", checked: false }] })).toBe(
      '<ul class="checklist"><li><span role="img" aria-label="Open">☐</span> a</li></ul>',
    );
  });
  test("an image uses its caption as alternative text", () => {
    const data = { file: { ...file, width: 4, height: 3 }, caption: 'A <b>"cat"</b> &amp; dog', withBorder: true, stretched: true };
    expect(html("image", data)).toBe(
      '<figure class="image bordered stretched"><img src="/storage/v1/object/public/post-images/w/i.png" alt="A &quot;cat&quot; &amp; dog" width="4" height="3" loading="lazy" decoding="async"><figcaption>A <b>"cat"</b> &amp; dog</figcaption></figure>',
    );
    expect(html("image", { file }, "https://acme.example")).toContain('src="https://acme.example/storage/v1/');
    expect(html("image", { file: { url: "https://x.example/i.png?a=1&b=2" } }, "https://acme.example")).toContain(
      'src="https://x.example/i.png?a=1&amp;b=2"',
    );
  });
  test("an image prefers its alternative text to the caption; its width is a class on the page and a size elsewhere", () => {
    const blocks = cleanBlocks([
      {
        type: "image",
        data: { file: { ...file, width: 800, height: 400 }, alt: 'A "graph" &lt;up&gt;', caption: "<b>Sales</b>", width: 52 },
      },
    ]);
    expect(blocksToHtml(blocks, { page: true })).toContain(
      '<figure class="image w-50"><img src="/storage/v1/object/public/post-images/w/i.png" alt="A &quot;graph&quot; &lt;up&gt;" width="800" height="400"',
    );
    expect(blocksToHtml(blocks)).toContain(
      '<figure class="image"><img src="/storage/v1/object/public/post-images/w/i.png" alt="A &quot;graph&quot; &lt;up&gt;" width="320" height="160"',
    );
    expect(blocksToText(blocks)).toBe('A "graph" <up> Sales');
    expect(blocksToMarkdown(blocks)).toBe('![A "graph" \\<up>](/storage/v1/object/public/post-images/w/i.png)\n\n**Sales**');
    expect(html("image", { file, width: 40 })).toContain('alt="" width="256" loading');
    expect(html("image", { file, width: 40, stretched: true })).not.toContain("width");
  });
  test.each([
    [1, 10],
    [12, 10],
    [13, 15],
    [87.4, 85],
    [89.9, 85],
    [90, 100],
    [100, 100],
    [101, undefined],
    [0, undefined],
    ["50", undefined],
    [NaN, undefined],
  ])("a width of %j is kept as %j", (width, kept) => expect(imageWidth(width)).toBe(kept));
  test("code, escaped", () => {
    expect(html("code", { code: "a < b && '<b>'" })).toBe('<pre tabindex="0"><code>a &lt; b &amp;&amp; &#39;&lt;b&gt;&#39;</code></pre>');
    expect(html("code", { code: "x", language: " TypeScript" })).toBe('<pre tabindex="0"><code class="language-typescript">x</code></pre>');
  });
  test("a video is a sandboxed frame on the public page and a link elsewhere", () => {
    const blocks = cleanBlocks([{ type: "embed", data: { url: "https://youtu.be/aqz-KE-bpKQ?t=90s", caption: 'The "tour"' } }]);
    expect(blocksToHtml(blocks, { page: true })).toBe(
      '<figure class="embed"><iframe src="https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?start=90" title="The &quot;tour&quot;" sandbox="allow-scripts allow-same-origin allow-presentation allow-popups" allow="fullscreen; picture-in-picture; encrypted-media" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe><figcaption>The "tour"</figcaption></figure>',
    );
    expect(blocksToHtml(blocks)).toBe(
      '<p><a rel="noopener" href="https://www.youtube.com/watch?v=aqz-KE-bpKQ&amp;t=90">The &quot;tour&quot;</a></p>',
    );
  });
  test("a callout is a note on the public page and a quote without our styles", () => {
    const blocks = cleanBlocks([{ type: "callout", data: { kind: "tip", text: "Try <b>it</b>" } }]);
    expect(blocksToHtml(blocks, { page: true })).toBe(
      '<aside class="callout callout-tip" role="note" aria-label="Tip"><span aria-hidden="true">Tip</span><p>Try <b>it</b></p></aside>',
    );
    expect(blocksToHtml(blocks)).toBe("<blockquote><p><strong>Tip:</strong> Try <b>it</b></p></blockquote>");
    expect(html("callout", { kind: "loud", text: "x" })).toContain("<strong>Info:</strong>");
  });
  test("a quote with its source", () => {
    expect(html("quote", { text: "Q", caption: "Someone", alignment: "center" })).toBe(
      '<figure class="quote centered"><blockquote><p>Q</p></blockquote><figcaption>Someone</figcaption></figure>',
    );
  });
  test("a table with an empty corner has no empty heading", () => {
    expect(
      html("table", {
        withHeadings: true,
        content: [
          ["", "a"],
          ["b", ""],
        ],
      }),
    ).toContain('<thead><tr><td></td><th scope="col">a</th></tr></thead><tbody><tr><td>b</td><td></td></tr></tbody>');
  });
  test("a table with a head", () => {
    expect(html("table", { withHeadings: true, content: [["a"], ["b"]] })).toBe(
      '<div class="table" role="region" aria-label="Table" tabindex="0"><table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table></div>',
    );
  });
  test("a divider", () => expect(html("delimiter", {})).toBe("<hr>"));
});

describe("as Markdown", () => {
  test.each([
    ["paragraph", { text: "a <b>b</b> <i>c</i> <s>d</s> <code>e*`</code> <u>f</u>" }, "a **b** *c* ~~d~~ `e*'` f"],
    ["paragraph", { text: "10<sup>2</sup> CO<sub>2</sub>" }, "10<sup>2</sup> CO<sub>2</sub>"],
    ["paragraph", { text: '<a href="https://x.example/a_b">l_k</a>' }, "[l_k](https://x.example/a_b)"],
    ["paragraph", { text: "# no header" }, "\\# no header"],
    ["paragraph", { text: "1. no list" }, "1\\. no list"],
    ["paragraph", { text: "- no list &lt;b&gt; &amp;lt;" }, "\\- no list \\<b> \\&lt;"],
    ["paragraph", { text: "a<br>b" }, "a\\\nb"],
    ["paragraph", { text: "2 * 3 &lt; 7 | snake_case -&gt; C:\\dir" }, "2 * 3 < 7 | snake_case -> C:\\dir"],
    ["paragraph", { text: "*a* _b_ ~c~ &lt;d&gt; [e]" }, "\\*a\\* \\_b\\_ \\~c\\~ \\<d> \\[e\\]"],
    ["paragraph", { text: ":tada: <b>1.5 GB</b> - done" }, ":tada: **1.5 GB** - done"],
    ["paragraph", { text: "#12 -5<br>#<br>===<br>--- | ---" }, "#12 -5\\\n\\#\\\n\\===\\\n\\--- | ---"],
    ["paragraph", { text: 'So!<a href="https://x.example/(a)">#1</a>' }, "So\\![#1](<https://x.example/(a)>)"],
    ["header", { text: "1. Install - now", level: 2 }, "## 1. Install - now"],
    ["header", { text: "H", level: 3 }, "### H"],
    ["list", { style: "ordered", meta: { start: 9 }, items: ["a", { content: "b", items: ["c"] }] }, "9. a\n10. b\n    1. c"],
    ["list", { style: "checklist", items: [{ content: "a", meta: { checked: true } }] }, "- [x] a"],
    ["checklist", { items: [{ text: "a" }] }, "- [ ] a"],
    ["image", { file, caption: "A <b>cat</b>" }, "![A cat](https://acme.example/storage/v1/object/public/post-images/w/i.png)"],
    ["code", { code: "a", language: "c++" }, "```c++\na\n```"],
    ["code", { code: "a\n```\nb" }, "````\na\n```\nb\n````"],
    ["quote", { text: "Q<br>R", caption: "S" }, "> Q\\\n> R\n>\n> — S"],
    ["callout", { kind: "info", text: "a<br>b" }, "> [!NOTE]\n> a\\\n> b"],
    ["callout", { kind: "danger", text: "c" }, "> [!CAUTION]\n> c"],
    ["embed", { url: "https://vimeo.com/76979871" }, "[Watch on Vimeo](https://vimeo.com/76979871)"],
    ["delimiter", {}, "---"],
    [
      "table",
      {
        withHeadings: true,
        content: [
          ["a|", "b"],
          ["c<br>d", "e"],
        ],
      },
      "| a\\|    | b   |\n| ------ | --- |\n| c<br>d | e   |",
    ],
  ])("%s %j", (type, data, expected) => {
    expect(markdown(type, data)).toBe(expected);
  });
});

describe("as plain text", () => {
  const output = cleanBlocks([
    { type: "header", data: { text: "What is new" } },
    { type: "paragraph", data: { text: "Faster <b>search</b> &amp; more&nbsp;room." } },
    { type: "code", data: { code: "npm start" } },
    { type: "list", data: { items: [{ content: "one", items: [{ content: "two" }] }] } },
  ]);
  test("returns all words in reading order", () =>
    expect(blocksToText(output)).toBe("What is new Faster search & more room. npm start one two"));
  test("an excerpt of the running text, of one block alone", () => expect(excerpt(output)).toBe("Faster search & more room."));
  test("an excerpt of whole sentences", () => {
    const sentence = "The search finds every word of a post, whatever its case.";
    const paragraph = { type: "paragraph", data: { text: `${sentence} ${sentence} ${sentence}` } };
    expect(excerpt(cleanBlocks([paragraph]))).toBe(`${sentence} ${sentence}`);
  });
  test("an excerpt without prose comes from any text", () => {
    expect(excerpt(cleanBlocks([{ type: "code", data: { code: "npm start" } }]))).toBe("npm start");
  });
  test("cut after a word, never inside a character", () => {
    expect(shorten("The quick brown fox, jumps", 20)).toBe("The quick brown fox…");
    expect(shorten("short enough", 20)).toBe("short enough");
    expect(shorten(`${"a".repeat(9)}🦊${"b".repeat(9)}`, 10)).toBe("aaaaaaaaa…");
  });
});
