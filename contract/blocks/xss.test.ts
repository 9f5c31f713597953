// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToHtml } from "#contract/blocks/to-html.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { xssPayloads } from "../../tests/support/xss-payloads.ts";

const blocksWith = (payload: string): Record<string, unknown> => ({
  paragraph: { type: "paragraph", id: payload, data: { text: payload } },
  header: { type: "header", data: { text: payload, level: payload } },
  list: {
    type: "list",
    data: {
      style: payload,
      meta: { start: payload, counterType: payload },
      items: [payload, { content: payload, meta: { checked: payload }, items: [{ content: payload, items: [] }] }],
    },
  },
  "ordered list": { type: "list", data: { style: "ordered", meta: { start: payload }, items: [{ content: payload }] } },
  "check list": { type: "list", data: { style: "checklist", items: [{ content: payload, meta: { checked: true } }] } },
  image: {
    type: "image",
    data: {
      file: { url: "https://ok.example/i.png", width: payload, height: payload },
      alt: payload,
      caption: payload,
      width: payload,
      withBorder: payload,
      stretched: payload,
    },
  },
  "image address": { type: "image", data: { file: { url: payload }, caption: "x" } },
  "image in our storage": { type: "image", data: { file: { url: `/storage/v1/object/public/post-images/${payload}` }, caption: "x" } },
  code: { type: "code", data: { code: payload, language: payload } },
  embed: { type: "embed", data: { url: "https://youtu.be/aqz-KE-bpKQ", caption: payload } },
  "embedded address": { type: "embed", data: { url: payload, source: payload } },
  "embedded video": { type: "embed", data: { url: `https://www.youtube.com/watch?v=${payload}&t=${payload}` } },
  callout: { type: "callout", data: { kind: payload, text: payload } },
  quote: { type: "quote", data: { text: payload, caption: payload, alignment: payload } },
  delimiter: { type: "delimiter", data: { text: payload } },
  table: { type: "table", data: { withHeadings: true, content: [[payload, payload], [payload], payload] } },
  checklist: { type: "checklist", data: { items: [{ text: payload, checked: payload }, payload] } },
  "unknown type": { type: payload, data: { text: payload, html: payload } },
  "raw html": { type: "raw", data: { html: payload } },
});

const allowedAttributes: Record<string, string[]> = {
  A: ["href", "rel"],
  IMG: ["src", "alt", "width", "height", "loading", "decoding"],
  FIGURE: ["class"],
  UL: ["class"],
  OL: ["start", "type"],
  PRE: ["tabindex"],
  ASIDE: ["class", "role", "aria-label"],
  CODE: ["class"],
  IFRAME: ["src", "title", "sandbox", "allow", "referrerpolicy", "loading"],
  DIV: ["class", "role", "aria-label", "tabindex"],
  TH: ["scope"],
  SPAN: ["role", "aria-label", "aria-hidden"],
};
const plain = "P H2 H3 H4 LI FIGCAPTION BLOCKQUOTE HR TABLE THEAD TBODY TR TD B I U S EM STRONG MARK BR".split(" ");
const allowedElements = new Set([...plain, ...Object.keys(allowedAttributes)]);
const allowedProtocols = new Set(["http:", "https:", "mailto:"]);

/** Parses each block's HTML and checks every element. One document and one expectation for all, for speed. */
function harmIn(htmlOf: Record<string, string>): string[] {
  const articles = Object.values(htmlOf).map((html) => `<article>${html}</article>`);
  const page = new DOMParser().parseFromString(`${articles.join("")}<aside id="after"></aside>`, "text/html");
  const harm: string[] = [];
  for (const [index, [kind, html]] of Object.entries(htmlOf).entries()) {
    const found = (what: string) => harm.push(`${kind}: ${what} in ${html}`);
    const article = page.body.children[index];
    if (article?.tagName !== "ARTICLE") return [...harm, `${kind}: something leaks out of the block: ${html}`];
    for (const element of article.querySelectorAll("*")) {
      if (!allowedElements.has(element.tagName)) found(element.tagName);
      for (const { name } of element.attributes)
        if (!allowedAttributes[element.tagName]?.includes(name)) found(`${element.tagName} ${name}`);
      const href = element.getAttribute("href");
      if (href !== null && !allowedProtocols.has(new URL(href).protocol)) found(href);
      const src = element.getAttribute("src");
      if (src !== null && !/^(?:https?:\/\/|\/storage\/v1\/object\/public\/)/.test(src)) found(src);
    }
  }
  if (page.querySelector("#after")?.parentElement?.tagName !== "BODY") harm.push("what follows stands inside a block");
  if (page.head.children.length > 0) harm.push(`in the head: ${page.head.innerHTML}`);
  if (page.body.children.length !== articles.length + 1) harm.push(`beside the blocks: ${page.body.innerHTML}`);
  return harm;
}

test("the table holds at least 150 payloads, each once", () => {
  expect(new Set(xssPayloads).size).toBeGreaterThanOrEqual(150);
  expect(new Set(xssPayloads).size).toBe(xssPayloads.length);
});

describe("a payload", () => {
  test.each(xssPayloads)("%j does nothing in any block type", (payload) => {
    const kinds = Object.entries(blocksWith(payload));
    expect(harmIn(Object.fromEntries(kinds.map(([kind, block]) => [kind, blocksToHtml(cleanBlocks([block]))])))).toEqual([]);
    const onPage = kinds.map(([kind, block]) => [kind, blocksToHtml(cleanBlocks([block]), { page: true })]);
    expect(harmIn(Object.fromEntries(onPage))).toEqual([]);
  });

  test.each(xssPayloads)("%j is not rendered when a caller forgets to clean", (payload) => {
    const uncleaned = { time: 0, version: "2.28.2", blocks: Object.values(blocksWith(payload)) } as never;
    for (const render of [blocksToHtml, blocksToMarkdown]) expect(() => render(uncleaned)).toThrow(TypeError);
    expect(() => [...blocksToHtml(uncleaned)]).toThrow(TypeError);
  });

  test.each(xssPayloads)("%j stays the same when cleaned twice", (payload) => {
    const once = cleanBlocks(Object.values(blocksWith(payload)));
    expect(cleanBlocks(once)).toEqual(once);
  });

  test.each(xssPayloads)("%j leaves no tag in Markdown outside of code", (payload) => {
    const { code: _code, ...others } = blocksWith(payload);
    // `\\<` is text; `](<https:` begins a URL; `<br>` breaks a line in a table cell.
    const markdown = blocksToMarkdown(cleanBlocks(Object.values(others)))
      .replaceAll("<br>", "")
      .replace(/`[^`]*`/g, "")
      .replace(/\]\(<(?:https?:|mailto:|\/storage)[^<>]*>\)/g, "");
    expect(markdown).not.toMatch(/(?<!\\)<[a-z/!?]/i);
  });
});
