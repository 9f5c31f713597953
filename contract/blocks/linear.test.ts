import { expect, test } from "vitest";
import { hostileParts } from "../../tests/support/hostile-parts.ts";
import { isLinear } from "../../tests/support/linear-time.ts";
import { cleanInline, publishedInline } from "./inline-html.ts";
import { inlineToWholeMarkdown } from "./inline-to-whole-markdown.ts";
import { escapeHtml } from "./text.ts";

const works: [string, (text: string) => unknown][] = [
  ["cleaning it", cleanInline],
  ["showing it", (text) => escapeHtml(publishedInline(cleanInline(text)))],
  ["writing it as Markdown that reads back", (text) => inlineToWholeMarkdown(cleanInline(text))],
];

test.each(works)("%s parses hostile text in linear time", (_, work) => {
  for (const part of hostileParts) expect(isLinear(work, part), part.slice(0, 20)).toBe(true);
});
