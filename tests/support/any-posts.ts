import { fc } from "@fast-check/vitest";
import { escapeHtml } from "#contract/blocks/text.ts";

const word = fc.constantFrom(
  ..."a Tidings 2026 über 日本 x_y_z a*b *c* **d** _e_ ~~f~~ `g` # ## #h - + 1. 2) 10. > | || \\ \\* [i] [j](k) ![l] ! ]( <b> </b> & &amp; &copy; && --- === *** ___ ~~~ ``` : :- :-: [ ] [x] [^1] [a]: https://x.example/a_b www.x.example a@b.example @who — “q” ' \" (p) … 🦊 e\u0301 a\u00a0b $x^2$ {} :smile: <!-- -->".split(
    " ",
  ),
);
const words = fc
  .array(fc.tuple(word, fc.constantFrom(" ", " ", " ", "", "  ")), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.flat().join(""));
const address = fc.oneof(
  fc.constantFrom(
    "https://x.example/",
    "https://x.example/a_b_(c)?d=1&copy=2&amp;e=*#f",
    "https://x.example/?q=a|b\\c",
    "mailto:a@b.example",
    "https://youtu.be/aqz-KE-bpKQ",
  ),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
);
const { inline: marked } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc
    .array(
      fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        { weight: 5, arbitrary: words.map(escapeHtml) },
        {
          weight: 3,
          arbitrary: fc
            .tuple(fc.constantFrom("b", "i", "u", "s", "em", "strong", "mark"), tie("inline"))
            .map(([tag, inner]) => `<${tag}>${inner}</${tag}>`),
        },
        { weight: 1, arbitrary: words.map((text) => `<code>${escapeHtml(text)}</code>`) },
        { weight: 1, arbitrary: fc.tuple(address, tie("inline")).map(([href, inner]) => `<a href="${escapeHtml(href)}">${inner}</a>`) },
        { weight: 1, arbitrary: fc.constant("<br>") },
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join("")),
}));
const inline = marked;
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const { items } = fc.letrec<{ items: object[] }>((tie) => ({
  items: fc.array(
    fc.record({
      content: inline,
      meta: fc.record({ checked: fc.boolean() }),
      items: fc.oneof({ maxDepth: 3 }, fc.constant([]), tie("items")),
    }),
    { minLength: 1, maxLength: 3 },
  ),
}));
const code = fc.array(fc.oneof(words, fc.constantFrom("", "```", "~~~~", "  indented", "\ttab", "> q", "- i", "---", "<!-- c -->")), {
  maxLength: 6,
});
const block = fc.oneof(
  fc.record({ type: fc.constant("paragraph"), data: fc.record({ text: inline }) }),
  fc.record({ type: fc.constant("header"), data: fc.record({ text: inline, level: fc.integer({ min: 1, max: 6 }) }) }),
  fc.record({
    type: fc.constant("list"),
    data: fc.record({
      style: fc.constantFrom("ordered", "unordered", "checklist"),
      meta: fc.record({
        start: maybe(fc.integer({ min: 0, max: 1_000 })),
        counterType: maybe(fc.constantFrom("lower-roman", "upper-alpha")),
      }),
      items,
    }),
  }),
  fc.record({
    type: fc.constant("image"),
    data: fc.record({
      file: fc.oneof(
        fc.record({ url: fc.constantFrom("https://x.example/i_(1).png?a=1&b=2", "/storage/v1/object/public/post-images/w/i.png") }),
        fc.record({ url: fc.constant("https://x.example/i.png"), width: fc.constant(640), height: fc.constant(480) }),
      ),
      alt: maybe(words.map(escapeHtml)),
      caption: fc.oneof(fc.constant(""), words.map(escapeHtml), inline),
      width: maybe(fc.constantFrom(25, 50, 100)),
      withBorder: fc.boolean(),
      stretched: fc.boolean(),
      withBackground: fc.boolean(),
    }),
  }),
  fc.record({
    type: fc.constant("embed"),
    data: fc.record({
      url: fc.constantFrom("https://youtu.be/__z-KE-bp_Q?t=7s", "https://vimeo.com/1/abcdef01", `https://loom.com/share/${"a".repeat(32)}`),
      caption: fc.oneof(fc.constant(""), inline),
    }),
  }),
  fc.record({ type: fc.constant("callout"), data: fc.record({ kind: fc.constantFrom("info", "tip", "warning", "danger"), text: inline }) }),
  fc.record({
    type: fc.constant("quote"),
    data: fc.record({ text: inline, caption: fc.oneof(fc.constant(""), inline), alignment: fc.constantFrom("left", "center") }),
  }),
  fc.record({
    type: fc.constant("code"),
    data: fc.record({
      code: code.map((lines) => lines.join("\n")),
      language: maybe(fc.constantFrom("typescript", "cpp", "objective-c", "c--")),
    }),
  }),
  fc.record({
    type: fc.constant("table"),
    data: fc.record({
      withHeadings: fc.boolean(),
      stretched: fc.boolean(),
      content: fc.array(fc.array(fc.oneof(inline, fc.constant("")), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    }),
  }),
  fc.record({ type: fc.constant("delimiter"), data: fc.constant({}) }),
);
export const posts = fc.array(block, { minLength: 1, maxLength: 4 });

export const markdowns = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        "",
        "",
        "# ",
        "- ",
        "- [ ] ",
        "* ",
        "1. ",
        "7) ",
        "> ",
        "> > ",
        "  - ",
        "    ",
        "| ",
        "```ts\n",
        "~~~\n",
        "> [!TIP]\n> ",
        "\t",
        "[a]: ",
      ),
      fc.oneof(
        words,
        inline,
        fc.constantFrom("---", "===", "| --- | --- |", "![a](https://x.example/i.png)", '<img src="https://x.example/i.png">', "</p>"),
      ),
      fc.constantFrom("\n", "\n", "\n\n", "  \n", "\\\n", " |\n"),
    ),
    { maxLength: 12 },
  )
  .map((lines) => lines.flat().join(""));
