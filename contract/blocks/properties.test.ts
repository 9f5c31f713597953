import { fc, test } from "../../tests/support/properties.ts";
import { describe, expect } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { excerpt } from "#contract/blocks/excerpt.ts";
import { cleanInline, inlineText } from "#contract/blocks/inline-html.ts";
import { isEmpty } from "#contract/blocks/is-empty.ts";
import { editorOutput } from "#contract/blocks/schema.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { blocksToHtml } from "#contract/blocks/to-html.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { anything, blocks, text } from "../../tests/support/any-blocks.ts";

const renderedTag = new RegExp(
  [
    "</?(?:p|h[2-4]|li|ul|ol|table|thead|tbody|tr|td|blockquote|figcaption|figure|code|b|i|u|s|em|strong|mark)>",
    '</(?:a|th|div|pre|span)>|<(?:br|hr)>|<ul class="checklist">',
    '<th scope="col">|<pre tabindex="0">|<div class="table" role="region" aria-label="Table" tabindex="0">',
    '<code class="language-[a-z][a-z0-9+#.-]*">',
    '</aside>|<aside class="callout callout-(?:info|tip|warning|danger)" role="note" aria-label="[A-Z][a-z]+">|<span aria-hidden="true">',
    '</iframe>|<figure class="embed">|<iframe src="https://(?:www\\.youtube-nocookie\\.com|player\\.vimeo\\.com|www\\.loom\\.com)/[^"<>]*" title="[^"<>]*" sandbox="[a-z -]+" allow="[a-z; -]+" referrerpolicy="strict-origin-when-cross-origin" loading="lazy">',
    '<ol(?: start="\\d+")?(?: type="[iIaA]")?>',
    '<span role="img" aria-label="(?:Done|Open)">',
    '<figure class="(?:image(?: bordered)?(?: stretched)?(?: backed)?(?: w-\\d+)?|quote(?: centered)?)">',
    '<a rel="noopener" href="(?:https?://|mailto:)[^"<>]*">',
    '<img src="(?:https?://|/storage/v1/object/public/)[^"<>]*" alt="[^"<>]*"(?: width="\\d+")?(?: height="\\d+")? loading="lazy" decoding="async">',
  ].join("|"),
  "g",
);

describe("cleaning one text", () => {
  const tags =
    /<(?:\/?(?:b|i|u|s|em|strong)|br|mark class="cdx-marker"|code class="inline-code"|\/mark|\/code|a href="(?:https?:\/\/|mailto:)[^"<>]*"|\/a)>/g;

  test.prop([text])("leaves no tag outside the allow-list", (input) => {
    expect(cleanInline(input).replace(tags, "")).not.toMatch(/[<>]/);
  });
  test.prop([text])("closes what it opens, in order", (input) => {
    const open: string[] = [];
    for (const [, slash, tag] of cleanInline(input).matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
      if (tag === "br") continue;
      if (slash === "/") expect(open.pop()).toBe(tag);
      else open.push(tag!);
    }
    expect(open).toEqual([]);
  });
  test.prop([text])("changes nothing the second time", (input) => {
    const once = cleanInline(input);
    expect(cleanInline(once)).toBe(once);
  });
  test.prop([fc.string({ unit: "grapheme" })])("keeps escaped text word for word", (input) => {
    expect(inlineText(cleanInline(escapeHtml(input)))).toBe(
      input.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, ""),
    );
  });
  test.prop([fc.webUrl({ withQueryParameters: true, withFragments: true })])("keeps a link's address", (url) => {
    expect(cleanInline(`<a href="${escapeHtml(url)}">x</a>`)).toBe(`<a href="${escapeHtml(new URL(url).href)}">x</a>`);
  });
});

describe("cleaning a post", () => {
  test.prop([fc.oneof(blocks, fc.record({ time: anything, blocks, version: anything }), fc.anything())])(
    "never throws and gives the schema's shape",
    (input) => {
      expect(editorOutput.parse(cleanBlocks(input))).toEqual(cleanBlocks(input));
    },
  );
  test.prop([blocks])("changes nothing the second time", (input) => {
    const once = cleanBlocks(input);
    expect(cleanBlocks(once)).toEqual(once);
  });
  test.prop([blocks])("survives the way to the database and back", (input) => {
    const once = cleanBlocks(input);
    expect(cleanBlocks(JSON.parse(JSON.stringify(once)))).toEqual(once);
    expect(JSON.stringify(once)).not.toMatch(/\\u0000|\\ud[89a-f]/i);
  });
  test.prop([blocks])("renders to text, HTML and Markdown without a throw", (input) => {
    const once = cleanBlocks(input);
    for (const page of [true, false]) expect(blocksToHtml(once, { page }).replace(renderedTag, "")).not.toMatch(/[<>]/);
    expect(blocksToMarkdown(once)).toBeTypeOf("string");
    expect(excerpt(once).length).toBeLessThanOrEqual(161);
    expect(isEmpty(once)).toBeTypeOf("boolean");
  });
});
