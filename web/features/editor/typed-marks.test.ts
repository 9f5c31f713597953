import { describe, expect, test } from "vitest";
import { typedMark } from "./typed-marks.ts";
import { linkBefore, linkFromField, linkOf, linkedHtml } from "./addresses.ts";

function typed(line: string): string | null {
  const mark = typedMark(line);
  if (!mark) return null;
  const element = mark.make();
  element.textContent = line.slice(mark.from + mark.opens, line.length - mark.closes);
  return line.slice(0, mark.from) + element.outerHTML;
}

describe("typedMark", () => {
  test.each([
    ["a **bold word**", "a <b>bold word</b>"],
    ["a __bold__", "a <b>bold</b>"],
    ["**b**", "<b>b</b>"],
    ["*soft*", "<i>soft</i>"],
    ["so _soft_", "so <i>soft</i>"],
    ["no ~~longer~~", "no <s>longer</s>"],
    ["see ==this==", 'see <mark class="cdx-marker">this</mark>'],
    ["run `npm start`", 'run <code class="inline-code">npm start</code>'],
    ["`a*b*c`", '<code class="inline-code">a*b*c</code>'],
    ["[words](https://x.example/a_(b))", '<a href="https://x.example/a_(b)">words</a>'],
    ["[us](mailto:us@x.example)", '<a href="mailto:us@x.example">us</a>'],
  ])("converts %s", (line, html) => expect(typed(line)).toBe(html));

  test.each([
    "2 * 3 *",
    "**bold*",
    "** not **",
    "snake_case_",
    "a_b_",
    "~~ no ~~",
    "``",
    "====",
    "plain",
    "[words](javascript:alert(1))",
    "[words](data:text/html,x)",
    "[words](not an address)",
    "(parentheses)",
  ])("ignores %s", (line) => expect(typed(line)).toBeNull());

  test("reads a long line only near the caret", () => {
    const line = `${"**a ".repeat(20_000)}*soft*`;
    expect(typedMark(line)?.from).toBe(line.length - 6);
    expect(typedMark(`**${"a".repeat(1_000)}**`)).toBeNull();
  });
});

describe("links in text", () => {
  test.each([
    ["see https://x.example/a", "https://x.example/a", 4],
    ["(https://x.example/a).", "https://x.example/a", 1],
    ["https://x.example/a_(b)", "https://x.example/a_(b)", 0],
    ["www.example.com,", "https://www.example.com/", 0],
    ["ask me@x.example", "mailto:me@x.example", 4],
  ])("linkBefore finds the URL at the end of '%s'", (line, href, from) => expect(linkBefore(line)).toMatchObject({ href, from }));
  test.each(["example.com", "javascript:alert(1)", "https://", "and/or", "e.g.", ""])("linkBefore ignores '%s'", (line) =>
    expect(linkBefore(line)).toBeNull(),
  );
  test("linkFromField accepts a bare host", () => {
    expect(linkFromField(" example.com/a ")).toBe("https://example.com/a");
    expect(linkFromField("mailto:us@x.example")).toBe("mailto:us@x.example");
    expect(linkFromField("javascript:alert(1)")).toBeNull();
    expect(linkFromField("two words")).toBeNull();
  });
  test("linkedHtml links URLs and escapes everything else", () => {
    expect(linkedHtml('<b> "https://x.example/?a=1&b=2", ok')).toBe(
      '&lt;b&gt; &quot;<a href="https://x.example/?a=1&amp;b=2">https://x.example/?a=1&amp;b=2</a>&quot;, ok',
    );
    expect(linkOf("https://x.example/<script>")).toBeNull();
  });
});
