import { describe, expect, test } from "vitest";
import { typedMark } from "./typed-marks.ts";
import { addressBefore, addressFrom, addressOf, linkedHtml } from "./addresses.ts";

/** What a line becomes when its last character is typed, as HTML. */
function typed(line: string): string | null {
  const found = typedMark(line);
  if (!found) return null;
  const element = found.make();
  element.textContent = line.slice(found.from + found.opens, line.length - found.closes);
  return line.slice(0, found.from) + element.outerHTML;
}

describe("Markdown inside a line", () => {
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
  ])("%s", (line, html) => expect(typed(line)).toBe(html));

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
  ])("%s stays as it is", (line) => expect(typed(line)).toBeNull());

  test("a long line is looked at near the caret only", () => {
    const line = `${"**a ".repeat(20_000)}*soft*`;
    expect(typedMark(line)?.from).toBe(line.length - 6);
    expect(typedMark(`**${"a".repeat(1_000)}**`)).toBeNull(); // where it opens nobody looks
  });
});

describe("addresses", () => {
  test.each([
    ["see https://x.example/a", "https://x.example/a", 4],
    ["(https://x.example/a).", "https://x.example/a", 1],
    ["https://x.example/a_(b)", "https://x.example/a_(b)", 0],
    ["www.example.com,", "https://www.example.com/", 0],
    ["ask me@x.example", "mailto:me@x.example", 4],
  ])("at the end of '%s'", (line, href, from) => expect(addressBefore(line)).toMatchObject({ href, from }));
  test.each(["example.com", "javascript:alert(1)", "https://", "and/or", "e.g.", ""])("'%s' is none that somebody means", (line) =>
    expect(addressBefore(line)).toBeNull(),
  );
  test("in the link's field a host is enough", () => {
    expect(addressFrom(" example.com/a ")).toBe("https://example.com/a");
    expect(addressFrom("mailto:us@x.example")).toBe("mailto:us@x.example");
    expect(addressFrom("javascript:alert(1)")).toBeNull();
    expect(addressFrom("two words")).toBeNull();
  });
  test("in a pasted text become links, everything else stays text", () => {
    expect(linkedHtml('<b> "https://x.example/?a=1&b=2", ok')).toBe(
      '&lt;b&gt; &quot;<a href="https://x.example/?a=1&amp;b=2">https://x.example/?a=1&amp;b=2</a>&quot;, ok',
    );
    expect(addressOf("https://x.example/<script>")).toBeNull();
  });
});
