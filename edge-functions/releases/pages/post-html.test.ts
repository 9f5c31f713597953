import { describe, expect, test } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToHtml } from "#contract/blocks/to-html.ts";
import { wordsIn } from "#contract/i18n/index.ts";
import { anchorOf, pageHtml } from "./post-html.ts";

const words = wordsIn("en").page;
const header = (text: string, level = 2) => ({ type: "header", data: { text, level } });
const image = (caption = "") => ({ type: "image", data: { file: { url: "/storage/v1/object/public/x/a.png" }, caption } });
const shown = (blocks: object[], more: Partial<Parameters<typeof pageHtml>[1]> = {}): string =>
  pageHtml(blocksToHtml(cleanBlocks(blocks), { page: true }), { words, address: "", atOnce: true, ...more });
const idsIn = (html: string): string[] => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);

describe("a heading", () => {
  test("has an id from its text and a link to itself", () => {
    expect(shown([header("What <b>is</b> new &amp; why?")])).toBe(
      '<h2 id="what-is-new-why">What <b>is</b> new &amp; why?<a class="anchor" href="#what-is-new-why" aria-label="Link to “What is new &amp; why?”"></a></h2>',
    );
  });
  test.each([
    ["新機能 2.0", "新機能-2-0"],
    ["ما الجديد؟", "ما-الجديد"],
    ["🎉", "section"],
    ["x".repeat(100), "x".repeat(60)],
    ['"><script>', "script"],
  ])("%s has the id %s", (text, id) => expect(anchorOf(text)).toBe(id));
  test("with the same text gets another id, and none of the page's own", () => {
    const ids = idsIn(shown([header("Fixes"), header("Fixes"), header("Fixes 2"), header("Content"), header("Fixes")]));
    expect(new Set(ids).size).toBe(5);
    expect(ids).not.toContain("content");
    expect(ids[0]).toBe("fixes");
  });
  test("is one level lower in a list and links to the post's page", () => {
    const html = shown([header("Fixes"), header("More", 3)], { within: "my-post", address: "/releases/my-post" });
    expect(html).toContain('<h2 id="my-post.fixes" aria-level="3">Fixes<a class="anchor" href="/releases/my-post#fixes"');
    expect(html).toContain('<h3 id="my-post.more" aria-level="4">');
  });
  test("skips no level", () => {
    expect(shown([header("A", 4), header("B", 2)])).toMatch(/^<h2 id="a" class="h4">.*\n<h2 id="b">/);
  });
  test.each([
    ["of a page", {}, ["h2 h3 ", "h3  ", "h4  ", "h2  ", "h3 h4 "]],
    ["in a list", { within: "a" }, ["h3  ", "h3  4", "h4  5", "h2  3", "h3 h4 4"]],
  ])("%s never is an element that skips a level, and keeps its size and level", (_, placed, elements) => {
    const html = shown(
      [3, 3, 4, 2, 4].map((level, index) => header(`${index}`, level)),
      placed,
    );
    const found = [...html.matchAll(/<(h\d) id="[^"]*"(?: class="(h\d)")?(?: aria-level="(\d)")?>/g)];
    expect(found.map(([, element, size = "", level = ""]) => [element, size, level].join(" "))).toEqual(elements);
  });
  test("in code isn't a heading", () => {
    const html = shown([{ type: "code", data: { code: "<h2>no</h2>" } }]);
    expect(html).toContain("&lt;h2&gt;no");
    expect(idsIn(html)).toEqual([]);
  });
});

test("tables have unique names, also across posts in a list", () => {
  const table = { type: "table", data: { content: [["Cell"]] } };
  const namesIn = (html: string) => [...html.matchAll(/role="region" aria-label="([^"]*)"/g)].map(([, name]) => name);
  expect(namesIn(shown([table, table]))).toEqual(["Table", "Table 2"]);
  expect(namesIn(shown([table, table], { within: "a", title: 'A "post" & more' }))).toEqual([
    "Table: A &quot;post&quot; &amp; more",
    "Table 2: A &quot;post&quot; &amp; more",
  ]);
});

describe("an image", () => {
  test("links to its full size, and the first loads eagerly", () => {
    const html = shown([image("A “view”"), image()]);
    expect(html).toContain('<a class="large" href="/storage/v1/object/public/x/a.png" title="Open the full-size image"><img ');
    expect(html).toContain('aria-label="Open the full-size image"><img src="/storage/v1/object/public/x/a.png" alt=""');
    expect(html.match(/fetchpriority="high"/g)).toHaveLength(1);
    expect(html.match(/loading="lazy"/g)).toHaveLength(1);
  });
  test("far down in a list loads lazily", () => expect(shown([image()], { atOnce: false })).toContain('loading="lazy"'));
});
