import { blockType } from "../block-type.ts";
import { cleanInline, inlineText, publishedInline } from "../inline-html.ts";
import { inlineToMarkdown } from "../inline-to-markdown.ts";
import { inlineToWholeMarkdown } from "../inline-to-whole-markdown.ts";

export const paragraph = blockType({
  name: "Paragraph",
  phrase: "text",
  schema: ({ z, inline }) => z.object({ text: inline }),
  clean: (data) => ({ text: cleanInline(data["text"]) }),
  html: ({ text }) => `<p>${publishedInline(text)}</p>`,
  markdown: ({ text }, { whole }) => (whole ? inlineToWholeMarkdown(text) : inlineToMarkdown(text)),
  words: ({ text }) => [inlineText(text)],
  prose: true,
  shows: null,
  wordless: "Empty",
  style: ".body p { text-wrap: pretty; }",
});
