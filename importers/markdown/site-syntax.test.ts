import { describe, expect } from "vitest";
import { fc, test } from "../../tests/support/properties.ts";
import { hostileParts } from "../../tests/support/hostile-parts.ts";
import { blocksFromMarkdown } from "#contract/blocks/from-markdown.ts";
import { markdown } from "../adapters/markdown.ts";
import { withoutSiteSyntax } from "./site-syntax.ts";
import { prepare } from "../to-post.ts";

const now = new Date("2026-06-01T12:00:00Z");
const read = (text: string) => {
  const { text: plain, leftOut } = withoutSiteSyntax(text);
  const { blocks } = blocksFromMarkdown(plain, { frontMatter: false });
  return { blocks: blocks.map(({ type, data }) => ({ type, data })), leftOut };
};
const callout = (kind: string, text: string) => ({ type: "callout", data: { kind, text } });
const paragraph = (text: string) => ({ type: "paragraph", data: { text } });
const video = (url: string) => ({ type: "embed", data: { url, caption: "" } });
const image = (url: string, alt: string, caption: string) => ({
  type: "image",
  data: expect.objectContaining({ file: { url }, alt, caption }),
});

describe("a site generator's", () => {
  test.each<[string, string, object[]]>([
    [
      "callout (Docusaurus)",
      "Words\n:::tip\nUse **it**.\n\nNow.\n:::\nmore",
      [paragraph("Words"), callout("tip", "Use <b>it</b>.<br><br>Now."), paragraph("more")],
    ],
    ["callout with a title", ":::caution[Mind it]\n\nGap.\n\n:::", [callout("warning", "<b>Mind it</b><br><br>Gap.")]],
    ["callout with a title (VitePress)", "::: danger STOP\nGap\n:::", [callout("danger", "<b>STOP</b><br><br>Gap")]],
    [
      "callout with a title (Starlight, Quarto)",
      ':::note{title="One"}\na\n:::\n::: {.callout-tip title="Two"}\nb\n:::',
      [callout("info", "<b>One</b><br><br>a"), callout("tip", "<b>Two</b><br><br>b")],
    ],
    ["callout in a callout", "::::info\nOuter\n:::tip\nInner\n:::\n::::", [callout("info", "Outer<br><br><b>Tip</b><br><br>Inner")]],
    [
      "callout (MkDocs)",
      '!!! note\n    One\n\n    Two\n\nAfter\n\n??? warning "Mind it"\n    Gap',
      [callout("info", "One<br><br>Two"), paragraph("After"), callout("warning", "<b>Mind it</b><br><br>Gap")],
    ],
    [
      "callout (Hugo)",
      '{{< notice tip >}}\nWords\n{{< /notice >}}\n\n{{% alert title="Mind it" color="warning" %}}\nGap\n{{% /alert %}}',
      [callout("tip", "Words"), callout("warning", "<b>Mind it</b><br><br>Gap")],
    ],
    [
      "callout (Notion)",
      '<aside>\n💡 A tip\n\n</aside>\n\n<aside>\n<img src="https://www.notion.so/icons/bell_gray.svg" alt="x" width="40px" /> A note\n</aside>',
      [callout("tip", "A tip"), callout("info", "A note")],
    ],
    [
      "video (Hugo)",
      "Before\n\n{{< youtube dQw4w9WgXcQ >}}\n\n{{< vimeo id=146022717 >}}",
      [paragraph("Before"), video("https://www.youtube.com/watch?v=dQw4w9WgXcQ"), video("https://vimeo.com/146022717")],
    ],
    [
      "video (Jekyll)",
      '{% youtube dQw4w9WgXcQ %}\n\n{% youtube "https://youtu.be/dQw4w9WgXcQ" %}\n\n{% include youtube.html id="dQw4w9WgXcQ" %}\n\n{% embed https://vimeo.com/146022717 %}',
      [...Array<object>(3).fill(video("https://www.youtube.com/watch?v=dQw4w9WgXcQ")), video("https://vimeo.com/146022717")],
    ],
    [
      "figure (Hugo)",
      '{{< figure src="https://x.example/a (1).png" alt="A [cat]" title="Tom" caption="a cat" >}}',
      [image("https://x.example/a%20(1).png", "A [cat]", "Tom – a cat")],
    ],
    [
      "figure over several lines",
      '{{< figure\n  src="https://x.example/a.png"\n  alt="A"\n>}}',
      [image("https://x.example/a.png", "A", "")],
    ],
    [
      "code",
      "{{< highlight go >}}\nx := `1` // {{< youtube x >}}\n{{< /highlight >}}\n\n{% highlight ruby %}\nputs 1\n{% endhighlight %}",
      [
        { type: "code", data: { code: "x := `1` // {{< youtube x >}}", language: "go" } },
        { type: "code", data: { code: "puts 1", language: "ruby" } },
      ],
    ],
    [
      "definition list",
      "Term\n: What it means\n\n: And more\n\nOther `one`\n:   Yes\n\n    Indeed",
      [
        paragraph("<b>Term</b>"),
        paragraph("What it means"),
        paragraph("And more"),
        paragraph('Other <code class="inline-code">one</code>'),
        paragraph("Yes"),
        paragraph("Indeed"),
      ],
    ],
    [
      "addresses",
      '[a]({{< ref "https://x.example/b" >}}) ![c]({{ site.baseurl }}https://x.example/c.png) [d]({{ "https://x.example/d" | relative_url }})',
      [
        paragraph('<a href="https://x.example/b">a</a>'),
        image("https://x.example/c.png", "c", ""),
        paragraph('<a href="https://x.example/d">d</a>'),
      ],
    ],
  ])("%s becomes blocks", (_, text, blocks) => {
    expect(read(text)).toEqual({ blocks, leftOut: [] });
  });

  test("syntax without a block is removed and reported", () => {
    const text = "One {{< tweet user=a id=1 >}}\n\n{% gist a/1 %}\n\n:::tabs\nTwo\n:::\n\n{{% badge %}}Three{{% /badge %}} {{ name }}";
    const leftOut = ["{{< tweet >}}", "{% gist %}", ":::tabs", "{{% badge %}}"];
    expect(read(text)).toEqual({ blocks: [paragraph("One"), paragraph("Two"), paragraph("Three {{ name }}")], leftOut });
  });

  test.each([
    "```md\n:::tip\nx\n:::\n{{< youtube a >}}\n```",
    "Write `{{< youtube id >}}` or `{% youtube id %}`.",
    ":::tip\nnever closed",
    "Wow!!! note\n!!! Really?",
    "a : b\n:smile: c\n12:30",
    "<aside>\nAside\n</aside>",
  ])("syntax in code and what only looks like it stay as they are: %j", (text) => {
    expect(withoutSiteSyntax(text)).toEqual({ text, leftOut: [] });
  });

  test("syntax is parsed in foreign files, not in our own export", async () => {
    const file = (head: string) => ({
      name: "a.md",
      bytes: new TextEncoder().encode(`---\ntitle: A\n${head}---\n\n:::tip\nWords\n:::\n\n{% gist a %}\n`),
    });
    const [other] = markdown.read([file("date: 2026-01-31\n")], { now }).entries;
    const { post, losses, siteSyntax } = await prepare(other!, { now });
    expect(siteSyntax).toEqual(["{% gist %}"]);
    expect(post.blocks).toMatchObject([callout("tip", "Words")]);
    expect(losses).toContain("Removed syntax of its site generator: {% gist %}");
    const [own] = markdown.read([file("date: 2026-01-31\nexternal_id: x\n")], { now }).entries;
    expect((await prepare(own!, { now })).post.blocks).toMatchObject([paragraph(":::tip Words :::"), paragraph("{% gist a %}")]);
  });

  const parts = fc.constantFrom(
    ":::",
    ":::tip",
    "{{<",
    ">}}",
    "{{%",
    "%}}",
    "{%",
    "%}",
    "{{",
    "}}",
    "!!! note",
    "\n",
    "\n    ",
    "\n: ",
    "`",
    "<aside>",
    "</aside>",
    ...hostileParts,
  );
  test.prop([fc.array(parts, { maxLength: 60 })])("surrounding words are never lost", (pieces) => {
    const { text } = withoutSiteSyntax(["First", ...pieces, "Last"].join("\n"));
    expect(text.startsWith("First") || text.includes("First")).toBe(true);
    expect(text).toContain("Last");
  });
});
