import { blockType } from "../block-type.ts";
import { cleanInline, inlineText, publishedInline } from "../inline-html.ts";
import { inlineToMarkdown } from "../inline-to-markdown.ts";
import { inlineToWholeMarkdown } from "../inline-to-whole-markdown.ts";
import { asInt } from "../read.ts";

/** Level 1 is the post's title. */
const shownLevel = (level: number): number => Math.min(Math.max(level, 2), 4);

export const header = blockType({
  name: "Heading",
  phrase: "a heading",
  schema: ({ z, inline }) => z.object({ text: inline, level: z.int().min(1).max(6) }),
  clean: (data) => ({ text: cleanInline(data["text"]), level: asInt(data["level"], 1, 6) ?? 2 }),
  html: ({ text, level }) => `<h${shownLevel(level)}>${publishedInline(text)}</h${shownLevel(level)}>`,
  markdown: ({ text, level }, { whole, below = 0 }) => {
    const words = whole ? inlineToWholeMarkdown(text, { heading: true }) : inlineToMarkdown(text, { block: false }).replaceAll("\\\n", " ");
    return `${"#".repeat(shownLevel(level) + below)} ${words.replace(/(?<=\s)(?=#+$)/, "\\")}`; // trailing signs would be dropped
  },
  words: ({ text }) => [inlineText(text)],
  prose: false,
  shows: null,
  wordless: "Empty",
  style: `
.body h2 { font: 650 1.875rem/2.375rem var(--sans); letter-spacing: -.02em; margin-top: 3rem; text-wrap: balance; }
.body h3, .body .h3 { font: 650 1.5rem/2rem var(--sans); letter-spacing: -.015em; margin-top: 2.5rem; text-wrap: balance; }
.body h4, .body .h4 { font: 650 1.25rem/1.75rem var(--sans); letter-spacing: -.01em; margin-top: 2rem; }
.body h2 + *, .body h3 + *, .body h4 + *, .body h2 + .h4 { margin-top: .75rem; }
@media (max-width: 48rem) { .body h2 { font-size: 1.625rem; line-height: 2.125rem; } }`,
});
