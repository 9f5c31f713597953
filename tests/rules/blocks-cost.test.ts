import { describe, expect, test } from "vitest";
import { cleanInline, inlineText, publishedInline } from "#contract/blocks/inline-html.ts";
import { inlineToMarkdown } from "#contract/blocks/inline-to-markdown.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { hostileParts } from "../support/hostile-parts.ts";

/** Milliseconds of the fastest of some runs. */
function fastest(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...times);
}

const repeated = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);

describe("what a text costs grows with its length, not with its square", () => {
  const [short, long] = [4_000, 64_000];
  const works: Record<string, (text: string) => unknown> = {
    "cleaning it": cleanInline,
    "showing it": (text) => escapeHtml(publishedInline(cleanInline(text))),
    "reading its words": (text) => inlineText(cleanInline(text)),
    "writing it as Markdown": (text) => inlineToMarkdown(cleanInline(text)),
    "writing it as code in Markdown": (text) => blocksToMarkdown(cleanBlocks([{ type: "code", data: { code: text } }])),
  };
  for (const [name, work] of Object.entries(works)) {
    test.each(hostileParts)(`${name}: %j`, (part) => {
      const little = fastest(() => work(repeated(part, short)));
      const much = fastest(() => work(repeated(part, long)));
      // Sixteen times the length: linear work takes about 16 times as long, quadratic 256 times. Below a few milliseconds nobody waits.
      expect(much < 12 || much / little < 96, `${little.toFixed(2)} ms, then ${much.toFixed(2)} ms`).toBe(true);
    });
  }
});
