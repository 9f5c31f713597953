import { fc, test as property } from "../../tests/support/properties.ts";
import { JSDOM } from "jsdom";
import { describe, expect, test } from "vitest";
import { typeOf } from "#contract/blocks/block-types.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { type MailLook, mailOfBlocks } from "#contract/blocks/to-mail.ts";
import { blocks } from "../../tests/support/any-blocks.ts";

const base = "https://acme.example";
const unlimited = 10_000_000;

const ltr: MailLook = { accent: "#0b6b62", dir: "ltr" };

function mail(input: unknown, maxBytes = unlimited, look = ltr) {
  return mailOfBlocks(cleanBlocks(input), base, maxBytes, look);
}

const parser = new new JSDOM("").window.DOMParser();
const documentOf = (html: string): Document => parser.parseFromString(`<body>${html}`, "text/html");
const openings = /<([a-z][a-z\d]*)\b[^<>]*>/g;

function expectBalanced(html: string): HTMLElement {
  const open: string[] = [];
  for (const [, slash, tag] of html.matchAll(/<(\/?)([a-z][a-z\d]*)\b[^<>]*>/g)) {
    if (slash === "/") expect(open.pop()).toBe(tag);
    else if (!["br", "hr", "img"].includes(tag!)) open.push(tag!);
  }
  expect(open).toEqual([]);
  const { body } = documentOf(html);
  expect(body.getElementsByTagName("*").length).toBe([...html.matchAll(openings)].length);
  return body;
}

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];

describe("whatever a post holds", () => {
  property.prop([blocks])("its HTML is balanced, uses known elements and links only to absolute URLs", (input) => {
    for (const element of expectBalanced(mail(input).html).getElementsByTagName("*")) {
      expect(element.localName).toMatch(
        /^(?:p|h[2-4]|ul|ol|li|table|thead|tbody|tr|th|td|div|span|blockquote|figure|figcaption|pre|code|b|i|u|s|em|strong|mark|a|br|hr|img)$/,
      );
      for (const { name, value } of element.attributes) {
        expect(name).toMatch(/^(?:href|src|alt|width|style|start|type|scope|border|cellpadding|cellspacing)$/);
        if (name === "href") expect(value).toMatch(/^(?:https?:\/\/|mailto:)/);
        if (name === "src") expect(value).toMatch(/^https?:\/\//);
        if (name === "style") expect(value).not.toMatch(/url|expression|position/);
      }
    }
  });

  property.prop([blocks, fc.integer({ min: 0, max: 3_000 })])(
    "it is cut between blocks where it is too long, and says so",
    (input, maxBytes) => {
      const all = mail(input);
      const cut = mail(input, maxBytes);
      expect(new TextEncoder().encode(cut.html).byteLength).toBeLessThanOrEqual(maxBytes);
      expectBalanced(cut.html);
      expect(all.html.startsWith(cut.html)).toBe(true);
      expect(cut.whole).toBe(
        cut.html === all.html && new TextEncoder().encode(all.html).byteLength + 1 <= maxBytes + (all.html === "" ? 1 : 0),
      );
      expect(cut.text).toBe(all.text);
    },
  );

  property.prop([blocks])("its text has every word and every address", (input) => {
    const { html, text } = mail(input);
    const addresses = [...documentOf(html).getElementsByTagName("a")].map((link) => link.getAttribute("href")!);
    for (const address of addresses) expect(text).toContain(address.replace(/^mailto:/, ""));
    const uninterrupted = addresses.reduce((rest, address) => {
      return rest.replaceAll(` (${address})`, "").replaceAll(` ${address.replace(/^mailto:/, "")} `, "");
    }, text);
    const words = new Set(wordsIn(`${text} ${uninterrupted}`));
    for (const block of cleanBlocks(input).blocks) {
      for (const word of wordsIn(typeOf(block).words(block.data).join(" "))) expect(words).toContain(word);
    }
  });
});

const one = (type: string, data: unknown) => mail([{ type, data }]);

describe("as plain text", () => {
  test.each([
    [
      "paragraph",
      { text: 'See <a href="https://x.example/a">the <b>guide</b></a>, or <i>ask</i> &lt;us&gt; *now*' },
      "See the guide (https://x.example/a), or ask <us> *now*",
    ],
    [
      "paragraph",
      { text: '<a href="https://x.example">https://x.example</a> <a href="mailto:a@x.example">a@x.example</a>' },
      "https://x.example/ a@x.example",
    ],
    ["paragraph", { text: "one<br>two" }, "one\ntwo"],
    ["header", { text: "How to", level: 2 }, "How to"],
    [
      "list",
      { style: "ordered", meta: { start: 3 }, items: [{ content: "a", items: [{ content: "b<br>c" }] }, { content: "d" }] },
      "3. a\n  1. b\n    c\n4. d",
    ],
    ["list", { style: "unordered", items: [{ content: "a" }, { content: "b" }] }, "- a\n- b"],
    ["checklist", { items: [{ text: "a", checked: true }, { text: "b" }] }, "☑ a\n☐ b"],
    ["code", { code: "if (a < b) {\n  c\n}" }, "if (a < b) {\n  c\n}"],
    ["quote", { text: "Easy<br>on the eyes", caption: "A reader" }, "> Easy\n> on the eyes\n— A reader"],
    ["callout", { kind: "warning", text: "Mind the gap" }, "> Warning: Mind the gap"],
    [
      "table",
      {
        withHeadings: true,
        content: [
          ["a", "b"],
          ["c<br>d", "e"],
        ],
      },
      "a | b\nc d | e",
    ],
    [
      "image",
      { file: { url: "/storage/v1/object/public/post-images/i.png" }, alt: "A graph", caption: "Sales" },
      "A graph: https://acme.example/storage/v1/object/public/post-images/i.png\nSales",
    ],
    ["embed", { url: "https://youtu.be/aqz-KE-bpKQ", caption: "The tour" }, "The tour (https://www.youtube.com/watch?v=aqz-KE-bpKQ)"],
    ["delimiter", {}, "* * *"],
  ])("a %s: %j", (type, data, text) => expect(one(type, data).text).toBe(text));
});

describe("as HTML", () => {
  test("an image is absolute and never wider than the email", () => {
    const image = (file: object) => one("image", { file: { url: "/storage/v1/object/public/post-images/i.png", ...file } }).html;
    expect(image({ width: 2_000, height: 1_000 })).toContain(
      'src="https://acme.example/storage/v1/object/public/post-images/i.png" alt="" width="552"',
    );
    expect(image({ width: 120, height: 80 })).toContain('width="120"');
  });
  test("a checklist has no bullets beside its boxes, and a quote's author follows a dash", () => {
    const { html } = one("checklist", { items: [{ text: "a", checked: true }] });
    expect(html).toContain('<ul style="margin:0 0 16px;padding:0;list-style:none"><li style="margin:0 0 6px"><span>☑</span> a</li></ul>');
    expect(one("quote", { text: "Easy.", caption: "A reader" }).html).toMatch(/<figcaption style="[^"]+">— A reader<\/figcaption>/);
  });
  test("a block over the size limit is left out whole, with everything after it", () => {
    const code = (length: number) => ({ type: "code", data: { code: "<".repeat(length) } });
    const { html, whole, text } = mail([code(10), code(20_000), code(10)], 50_000);
    expect([html.match(/<pre/g)!.length, whole]).toEqual([1, false]);
    expect(text.match(/</g)).toHaveLength(20_020);
  });
});
