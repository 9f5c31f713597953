import { describe, expect, test } from "vitest";
import { blocksFromMarkdown } from "#contract/blocks/from-markdown.ts";
import { longestPiece, pieceLength, piecesOf, UncutMarkdown } from "./split-markdown.ts";

const inPieces = (markdown: string) => [...piecesOf(markdown)].flatMap((piece) => blocksFromMarkdown(piece).blocks);
const whole = (markdown: string) => blocksFromMarkdown(markdown).blocks;

const parts = {
  "a heading and a paragraph": "## Heading\n\nSome **words** of a paragraph\nthat goes on.\n\n",
  "a loose list": "- one\n\n- two\n\n  with more\n\n1. three\n\n",
  "a list in a list": "* a\n  * b\n\n    words below b\n\n* c\n\n",
  "a quote": "> said\n>\n> again\n\n> another\n\n",
  "code with empty lines": "```js\nlet a;\n\n# no heading\n\nlet b;\n```\n\n",
  "code in other marks": "~~~~\n~~~\n\nText, still code\n~~~~\n\n",
  "indented code": "    code\n\n    more code\n\nWords.\n\n",
  "a table": "| a | b |\n| - | - |\n| 1 | 2 |\n\n",
  "a line across": "words\n\n---\n\nkey: value\n\n---\n\n",
  "links that are named": "See [the page][page] and [Page].\n\n",
  HTML: "<div>\n\nWords <u>in</u> it\n\n</div>\n\n",
};

describe("a text parsed in pieces equals the whole", () => {
  test.each(Object.entries(parts))("%s", (_, part) => {
    const markdown = `${part}${"Words that fill a line. ".repeat(8)}\n\n`.repeat(150);
    expect([...piecesOf(markdown)].length).toBeGreaterThan(2);
    expect(inPieces(markdown)).toEqual(whole(markdown));
  });

  test("in any order, with link definitions at the end", () => {
    const names = Object.values(parts);
    for (let first = 0; first < names.length; first += 1) {
      const mixed = Array.from({ length: 240 }, (_, n) => names[(first + n * (first + 1)) % names.length]).join("");
      const markdown = `${mixed}\n[page]: https://example.com/page "The page"\n`;
      expect([...piecesOf(markdown)].length).toBeGreaterThan(1);
      expect(inPieces(markdown)).toEqual(whole(markdown));
    }
  });
});

test("notes end on their line, so a long post with images is still split", () => {
  const picture = '![a](https://example.com/a.png)\n<!-- tidings {"file":{"width":3,"height":2}} -->\n\n';
  const markdown = `${picture}${"Words that fill a line. ".repeat(8)}\n\n`.repeat(400);
  expect(markdown.length).toBeGreaterThan(longestPiece);
  expect(inPieces(markdown)).toEqual(whole(markdown));
  expect(() => inPieces(`<!--\n\n${markdown}`)).toThrow(UncutMarkdown);
});

test("a short text is one unchanged piece", () => {
  expect([...piecesOf("a\r\n\r\nb")]).toEqual(["a\r\n\r\nb"]);
});

test("pieces are short, and unsplittable text is rejected", () => {
  const prose = "Some words of a paragraph.\n\n".repeat(5_000);
  for (const piece of piecesOf(prose)) expect(piece.length).toBeLessThan(pieceLength + 100);
  expect(() => [...piecesOf("word ".repeat(longestPiece))]).toThrow(UncutMarkdown);
  expect(() => [...piecesOf("<pre>\n\n" + prose)]).toThrow(UncutMarkdown);
  expect(() => [...piecesOf("- a\n".repeat(10_000))]).toThrow("1,000 items");
});
