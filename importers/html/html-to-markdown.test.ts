import { execFileSync } from "node:child_process";
import { fc, test } from "../../tests/support/properties.ts";
import { describe, expect } from "vitest";
import { blocksFromMarkdown } from "#contract/blocks/from-markdown.ts";
import { blockText } from "#contract/blocks/plain-text.ts";
import { hostileParts } from "../../tests/support/hostile-parts.ts";
import { xssPayloads } from "../../tests/support/xss-payloads.ts";
import { ImportProblem } from "../entry.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";

const base = "https://old.example/log/one";
const read = (html: string) =>
  blocksFromMarkdown(htmlToMarkdown(html, { base }).markdown, { frontMatter: false }).blocks.map(({ type, data }) => ({ type, data }));
const lost = (html: string) => htmlToMarkdown(html, { base }).losses;

const paragraph = (text: string) => ({ type: "paragraph", data: { text } });
const header = (text: string, level: number) => ({ type: "header", data: { text, level } });
const code = (text: string, language?: string) => ({ type: "code", data: { code: text, ...(language && { language }) } });
const item = (content: string, items: object[] = [], meta: object = {}) => ({ content, meta, items });
const list = (style: string, items: object[], meta: object = {}) => ({ type: "list", data: { style, meta, items } });
const image = (url: string, alt = "", caption = "") => ({
  type: "image",
  data: { file: { url }, ...(alt && { alt }), caption, withBorder: false, stretched: false, withBackground: false },
});
const embed = (url: string) => ({ type: "embed", data: { url, caption: "" } });
const table = (content: string[][], withHeadings = true) => ({ type: "table", data: { withHeadings, stretched: false, content } });
const quote = (text: string, caption = "") => ({ type: "quote", data: { text, caption, alignment: "left" } });
const callout = (kind: string, text: string) => ({ type: "callout", data: { kind, text } });
const link = (href: string, words: string) => `<a href="${href}">${words}</a>`;

describe("HTML as blocks", () => {
  test.each<[string, string, object[]]>([
    [
      "marks",
      "<p>a <b>b</b> <em>c</em> <del>d</del> <code>e*</code> <u>f</u> <mark>g</mark> h<i>i</i>j</p>",
      [paragraph('a <b>b</b> <i>c</i> <s>d</s> <code class="inline-code">e*</code> <u>f</u> <mark class="cdx-marker">g</mark> h<i>i</i>j')],
    ],
    ["super- and subscript", "<p>10<sup>2</sup> CO<sub>2</sub></p>", [paragraph("10<sup>2</sup> CO<sub>2</sub>")]],
    ["blanks at the edges of a mark", "<p>a<strong> b </strong>c <b></b>d</p>", [paragraph("a <b>b</b> c d")]],
    ["a mark within itself", "<p><b>a <strong>b</strong></b></p>", [paragraph("<b>a b</b>")]],
    ["marks side by side", "<p><b>a</b><strong>b</strong></p>", [paragraph("<b>ab</b>")]],
    ["a mark around blocks", "<b><p>a</p><ul><li>b</li></ul></b>", [paragraph("<b>a</b>"), list("unordered", [item("<b>b</b>")])]],
    ["what Google Docs wraps all in", '<b style="font-weight:normal"><p>a</p></b>', [paragraph("a")]],
    ["empty lines", "a<br>b<br><br>c<p>&nbsp;</p>", [paragraph("a<br>b"), paragraph("c")]],
    ["signs that mean something in Markdown", "<p># a</p><p>1. *b* [c](d) `e`</p>", [paragraph("# a"), paragraph("1. *b* [c](d) `e`")]],
    ["entities", "<p>&lt;b&gt; &amp;copy; &copy; &#x1F98A; &euro;</p>", [paragraph("&lt;b&gt; &amp;copy; © 🦊 €")]],
    ["headings", "<h1>A</h1><h2>B<br>b</h2><h5>C</h5>", [header("A", 2), header("B<br>b", 2), header("C", 4)]],
    ["a picture in a heading", '<h2>A <img src="a.png"></h2>', [header("A", 2), image("https://old.example/log/a.png")]],
    [
      "links",
      '<p><a href="/a">a</a> <a href="https://x.example/b?c=d&amp;e">b</a> <a href="#c">c</a> <a href="javascript:alert(1)">d</a></p>',
      [paragraph(`${link("https://old.example/a", "a")} ${link("https://x.example/b?c=d&amp;e", "b")} c d`)],
    ],
    ["an invalid link", "<p>see https://x.example</p>", [paragraph("see https://x.example")]],
    ["a link around blocks", '<a href="/c"><h3>A</h3><p>b</p></a>', [header("A", 3), paragraph(link("https://old.example/c", "b"))]],
    [
      "lists",
      "<ul><li>a<ul><li>b</ul><li><p>c</p><p>d</p></ul><ol start=3><li>e</ol>",
      [list("unordered", [item("a", [item("b")]), item("c<br>d")]), list("ordered", [item("e")], { start: 3 })],
    ],
    ["a list beside its item", "<ul><li>a</li><ul><li>b</li></ul></ul>", [list("unordered", [item("a", [item("b")])])]],
    [
      "tasks",
      '<ul><li><input type="checkbox" checked> a</li><li><label><input type=checkbox></label>b</li></ul>',
      [list("checklist", [item("a", [], { checked: true }), item("b", [], { checked: false })])],
    ],
    [
      "tasks of other editors",
      '<ul data-type="taskList"><li data-checked="true"><p>a</p></li><li data-checked="false"><p>b</p></li></ul>',
      [list("checklist", [item("a", [], { checked: true }), item("b", [], { checked: false })])],
    ],
    [
      "code",
      '<pre><code class="hljs language-ts">a &lt; b\n\n  <span>c</span>\n</code></pre><pre class="lang-py">d<br>e</pre>',
      [code("a < b\n\n  c", "typescript"), code("d\ne", "python")],
    ],
    ["code of GitHub's", '<div class="highlight highlight-source-js"><pre>a</pre></div>', [code("a", "javascript")]],
    [
      "a table",
      "<table><thead><tr><th>A<th>B|b</tr></thead><tr><td>1<br>2<td><ul><li>c<li>d</ul></table>",
      [
        table([
          ["A", "B|b"],
          ["1<br>2", "• c<br>• d"],
        ]),
      ],
    ],
    [
      "a table without a head, with wide cells",
      "<table><tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e</table>",
      [
        table(
          [
            ["a", "", "b"],
            ["c", "d", "e"],
          ],
          false,
        ),
      ],
    ],
    [
      "a table that only places things",
      "<table role=presentation><tr><td><h2>A</h2><td><p>b</table><table><tr><td>c</table>",
      [header("A", 2), paragraph("b"), paragraph("c")],
    ],
    [
      "pictures",
      '<figure><img src="/a.png" alt="A" title="T"><figcaption>B <i>c</i></figcaption></figure><p>d <strong><img src="e.png"></strong> f</p>',
      [image("https://old.example/a.png", "A", "B <i>c</i>"), paragraph("d"), image("https://old.example/log/e.png"), paragraph("f")],
    ],
    [
      "a caption with a link",
      '<figure><img src="/a.png"><figcaption>By <a href="/b">B --&gt;</a></figcaption></figure>',
      [image("https://old.example/a.png", "", `By ${link("https://old.example/b", "B --&gt;")}`)],
    ],
    [
      "a plain caption",
      '<figure><img src="/a.png"><figcaption>A "b"</figcaption></figure>',
      [image("https://old.example/a.png", "", "A &quot;b&quot;")],
    ],
    [
      "pictures that come later",
      '<img data-src="/a.png" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><noscript><img src="/a.png"></noscript>',
      [image("https://old.example/a.png")],
    ],
    ["pictures of letters", '<p>a <img class="emoji" alt="🎉" src="/e.png"></p>', [paragraph("a 🎉")]],
    [
      "invisible images",
      '<p>a<img src="https://t.example/o.gif" width="1" height="1"><img style="width:1px;height:1px" src="/p"></p>',
      [paragraph("a")],
    ],
    [
      "videos",
      '<iframe src="//www.youtube.com/embed/aqz-KE-bpKQ?rel=0"></iframe><p>https://vimeo.com/76979871</p>',
      [embed("https://www.youtube.com/watch?v=aqz-KE-bpKQ"), embed("https://vimeo.com/76979871")],
    ],
    [
      "other frames and videos",
      '<iframe src="https://docs.example/x" title="Plan"></iframe><video><source src="/v.mp4">no video</video>',
      [paragraph(link("https://docs.example/x", "Plan")), paragraph(link("https://old.example/v.mp4", "v.mp4"))],
    ],
    ["a quote", "<blockquote><p>a</p><footer>– <b>B</b></footer></blockquote>", [quote("a", "<b>B</b>")]],
    [
      "notes to the reader",
      '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p><p>a</p></div><aside class="callout callout-tip"><p>b</p></aside>',
      [callout("warning", "a"), callout("tip", "b")],
    ],
    [
      "a card of Ghost's",
      '<div class="kg-card kg-callout-card kg-callout-card-blue"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">a <b>b</b></div></div>',
      [callout("info", "💡 a <b>b</b>")],
    ],
    ["what can be folded", "<details><summary>a</summary>b</details>", [paragraph("<b>a</b>"), paragraph("b")]],
    ["terms", "<dl><dt>a<dd>b</dl>", [paragraph("<b>a</b>"), paragraph("b")]],
    [
      "a whole page",
      "<!DOCTYPE html><html><head><title>T</title><style>b{}</style></head><body><!-- c --><main><p>a</main><script>d</script></body></html>",
      [paragraph("a")],
    ],
    ["a form", "<form><p>a</p><label>Mail</label><input><select><option>x</select><button>Go</button></form>", [paragraph("a")]],
    ["tags without an end", "<p>a<div>b<ul><li>c<p>d<b>e", [paragraph("a"), paragraph("b"), list("unordered", [item("c<br>d<b>e</b>")])]],
    ["text that looks like a tag", "<p>1 < 2 <3 a<b", [paragraph("1 &lt; 2 &lt;3 a&lt;b")]],
    [
      "a gallery that is a list",
      '<figure><ul><li><figure><img src="https://x.example/a.png" alt="A"></figure></li><li><img src="https://x.example/b.png" alt="B"></li></ul></figure>',
      [image("https://x.example/a.png", "A"), image("https://x.example/b.png", "B")],
    ],
    [
      "code beside line numbers",
      '<table><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><div><pre><span>a</span> = 1\nb</pre></div></td></tr></table>',
      [code("a = 1\nb")],
    ],
    ["a list with more than words", "<ul><li>a<pre>b</pre></li></ul>", [list("unordered", [item("a")]), code("b")]],
    ["nothing", " \n<div></div><p></p><script>a</script>", []],
  ])("%s", (_, html, blocks) => {
    expect(read(html)).toEqual(blocks);
  });

  test("without a base, images keep their path and links become text", () => {
    const { markdown, losses } = htmlToMarkdown('<p><a href="/a">a</a></p><img src="/b.png" alt="b"><a href="//x.example/c">c</a>');
    expect(markdown).toBe("a\n\n![b](/b.png)\n\n[c](https://x.example/c)\n");
    expect(losses).toEqual(["A link without a full URL is now text"]);
  });
});

describe("losses", () => {
  test.each<[string, string, string[]]>([
    ["nothing", "<p>a</p><script>b</script><!-- c --><svg><text>d</text></svg>", []],
    ["forms", "<form>a</form><form>b</form>", ["2 forms were removed"]],
    ["frames", '<iframe src="https://x.example/a"></iframe>', ["An embedded frame is now a link: x.example"]],
    ["a video", '<video src="https://x.example/a.mp4"></video>', ["A video is now a link: x.example"]],
    ["unsupported links", '<a href="tel:1">a</a>', ["A link with an unsupported address is now text"]],
    ["folds", "<details>a</details>", ["A collapsible part is now expanded"]],
    ["pictures in tables", "<table><tr><td>a<td><img src=b></table>", ["An image in a table is now a link"]],
    ["An embedded image (data:) was removed", '<img src="data:image/png;base64,AAAA">', ["An embedded image (data:) was removed"]],
  ])("of %s", (_, html, losses) => {
    expect(lost(html)).toEqual(losses);
  });
});

describe("hostile HTML", () => {
  const refused = (html: string, sentence: RegExp) => {
    expect(() => htmlToMarkdown(html)).toThrow(ImportProblem);
    expect(() => htmlToMarkdown(html)).toThrow(sentence);
  };
  test("too long", () => refused("<".repeat(5_000_000), /at most 2,000,000 characters/));
  test("too many tags", () => refused("<i>a</i>".repeat(40_000), /at most 60,000 tags/));
  test("a 5 MB data: image is not rejected", () => {
    const { markdown, losses } = htmlToMarkdown(`<p>a</p><img src="data:image/png;base64,${"A".repeat(5_000_000)}">`);
    expect(markdown).toBe("a\n");
    expect(losses).toHaveLength(1);
  });
  test("regular expressions also work when V8 is out of optimised code", () => {
    const program = `
      import { htmlToMarkdown } from ${JSON.stringify(import.meta.resolve("./html-to-markdown.ts"))};
      console.log(htmlToMarkdown(\`<p>a</p><img src="data:image/png;base64,\${"A".repeat(5_000_000)}">\`).markdown);`;
    const args = ["--no-regexp-optimization", "--input-type=module", "--eval", program];
    expect(execFileSync(process.execPath, args, { encoding: "utf8" }).trim()).toBe("a");
  });
  test.each([
    ["divs", "<div>"],
    ["lists", "<ul><li>"],
    ["quotes", "<blockquote>"],
    ["tables", "<table><tr><td>"],
    ["ends that do not fit", "<div><object></div>"],
  ])("20,000 %s in one another", (_, tags) => {
    refused(`${tags.repeat(20_000 / tags.split("<").length)}word`, /nested too deeply/);
    expect(htmlToMarkdown(`${tags.repeat(100)}word`).markdown).toContain("word");
  });
  test.each([
    ["marks", "<b><i><p>"],
    ["marks that lists of active ones keep", "<table><td><b></td>"],
  ])("20,000 %s in one another", (_, tags) => {
    expect(htmlToMarkdown(`${tags.repeat(20_000 / tags.split("<").length)}word`).markdown).toContain("word");
  });
  test.each(hostileParts)("150 KB of %j", (part) => {
    try {
      expect(htmlToMarkdown(part.repeat(150_000 / part.length)).markdown).toBeTypeOf("string");
    } catch (error) {
      expect(error).toBeInstanceOf(ImportProblem);
    }
  });
  test("cells that span 65,534 rows of 1,000 columns", () => {
    const html = `<table>${`<tr>${"<td rowspan=65534 colspan=1000>a".repeat(20)}`.repeat(100)}</table>`;
    expect(htmlToMarkdown(html).markdown.match(/a/g)).toHaveLength(2_000);
  });
  test.each(xssPayloads)("%s", (payload) => {
    const { markdown } = htmlToMarkdown(`<div>${payload}</div>`, { base });
    for (const { type, data } of blocksFromMarkdown(markdown).blocks) {
      if (type === "code") continue;
      expect(JSON.stringify(data)).not.toMatch(/<script|<svg|<iframe|href=\\"(?!https?:|mailto:)/i);
    }
  });
});

describe("any HTML", () => {
  const word = fc.stringMatching(/^[a-z]{3,8}$/).map((text) => `${text}${text.length}`);
  const signs = fc.constantFrom(
    "*",
    "_",
    "#",
    "1.",
    "- ",
    "`",
    "[",
    "](",
    "|",
    "~~",
    "&lt;",
    "&amp;",
    ">",
    "!",
    "\\",
    "=",
    "+",
    ":",
    "\n",
    "&nbsp;",
  );
  const said = fc.oneof({ weight: 4, arbitrary: word.map((text) => ` ${text} `) }, signs);
  const tags =
    "p div b i u s mark code a h1 h2 h3 ul ol li blockquote pre table tr td th section span em strong details summary figure figcaption dl dt dd center small article".split(
      " ",
    );
  const piece = fc.oneof(
    { weight: 3, arbitrary: said },
    fc.constantFrom(...tags).map((tag) => `<${tag}${tag === "a" ? ' href="/x"' : ""}>`),
    fc.constantFrom(...tags).map((tag) => `</${tag}>`),
    fc.constantFrom("<br>", "<hr>", '<img src="/7">', "<!-- -->", "<script>nothing</script>"),
  );
  const wordsIn = (text: string) => (text.match(/[a-z]{3,8}\d/g) ?? []).sort();

  test.prop([fc.array(piece, { maxLength: 60 })], { numRuns: Number(process.env.FUZZ_RUNS ?? 150) })("keeps every word once", (pieces) => {
    const html = pieces.join("");
    const { blocks } = blocksFromMarkdown(htmlToMarkdown(html, { base }).markdown, { frontMatter: false });
    const words = blocks.flatMap((block) => blockText(block)).join(" ");
    expect(wordsIn(words)).toEqual(wordsIn(html.replace(/<script>.*?<\/script>/g, "").replace(/<[^>]*>/g, " ")));
  });
  test.prop([fc.array(fc.oneof(piece, fc.constantFrom(...hostileParts), fc.string()), { maxLength: 40 })], {
    numRuns: Number(process.env.FUZZ_RUNS ?? 150),
  })("never throws", (pieces) => {
    expect(htmlToMarkdown(pieces.join("")).markdown).toBeTypeOf("string");
  });
});
