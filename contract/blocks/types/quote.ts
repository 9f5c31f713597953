import { blockType } from "../block-type.ts";
import { cleanInline, inlineText, publishedInline } from "../inline-html.ts";
import { inlineToMarkdown, quoted } from "../inline-to-markdown.ts";
import { inlineToWholeMarkdown } from "../inline-to-whole-markdown.ts";
import { asOneOf } from "../read.ts";

const alignments = ["left", "center"] as const;

export const quote = blockType({
  name: "Quote",
  phrase: "a quote",
  schema: ({ z, inline }) => z.object({ text: inline, caption: inline, alignment: z.enum(alignments) }),
  clean: (data) => ({
    text: cleanInline(data["text"]),
    caption: cleanInline(data["caption"]),
    alignment: asOneOf(data["alignment"], alignments) ?? "left",
  }),
  html: ({ text, caption, alignment }) => {
    const source = caption === "" ? "" : `<figcaption>${publishedInline(caption)}</figcaption>`;
    const classes = alignment === "center" ? "quote centered" : "quote";
    return `<figure class="${classes}"><blockquote><p>${publishedInline(text)}</p></blockquote>${source}</figure>`;
  },
  markdown: ({ text, caption }, { whole }) => {
    const inline = whole ? inlineToWholeMarkdown : inlineToMarkdown;
    const source = caption === "" ? "" : `\n\n— ${inline(caption)}`;
    const words = inline(text);
    if (whole && words + source === "") return "";
    return quoted((whole ? words.replace(/^— /, "&mdash; ") : words) + source);
  },
  unsaid: ({ alignment }) => (alignment === "center" ? { alignment } : {}),
  words: ({ text, caption }) => [inlineText(text), inlineText(caption)],
  prose: true,
  shows: null,
  wordless: "Empty",
  style: `
.body .quote { border-inline-start: 3px solid var(--accent); padding-inline-start: 1.25rem; }
.body .quote blockquote { font-size: 1.25rem; line-height: 2rem; }
.body .quote figcaption { text-align: start; }
.body .quote figcaption::before { content: "— "; }
.body .centered { border: 0; padding: 0; text-align: center; }
.body .centered figcaption { text-align: center; }`,
});
