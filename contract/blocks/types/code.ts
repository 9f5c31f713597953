import { z } from "zod";
import { blockType, text } from "../block-type.ts";
import { cleanText, escapeHtml } from "../text.ts";

/** Longer than any run of backticks inside. */
function fenceFor(code: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  return "`".repeat(Math.max(3, longest + 1));
}

export const code = blockType({
  schema: z.object({ code: text }),
  clean: (data) => ({ code: cleanText(data["code"]) }),
  html: ({ code }) => `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`,
  markdown: ({ code }) => `${fenceFor(code)}\n${code}\n${fenceFor(code)}`,
  words: ({ code }) => [code],
  prose: false,
  visible: false,
  style: `
.body pre { direction: ltr; background: var(--well); border-radius: 6px; padding: 1.25rem; overflow-x: auto; }
.body pre code { display: block; font: .9375rem/1.5rem var(--mono); background: none; padding: 0; overflow-wrap: normal; tab-size: 2; width: max-content; min-width: 100%; }`,
});
