import { blockType } from "../block-type.ts";
import { present } from "../read.ts";
import { cleanText, escapeHtml } from "../text.ts";

/** Used in a class and an info string. Any name is allowed; unknown ones are shown as plain text. */
const language = /^[a-z][\da-z+#.-]{0,29}$/;

function cleanLanguage(value: unknown): string | undefined {
  const name = cleanText(value).trim().toLowerCase();
  return language.test(name) ? name : undefined;
}

function fenceFor(code: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  return "`".repeat(Math.max(3, longest + 1));
}

export const code = blockType({
  name: "Code",
  phrase: "code",
  schema: ({ z, text }) => z.object({ code: text, language: z.string().regex(language).optional() }),
  clean: (data) => present({ code: cleanText(data["code"]), language: cleanLanguage(data["language"]) }),
  html: ({ code, language }, { colour }) => {
    if (language === undefined) return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
    return `<pre tabindex="0"><code class="language-${language}">${colour?.(code, language) ?? escapeHtml(code)}</code></pre>`;
  },
  markdown: ({ code, language = "" }) => `${fenceFor(code)}${language}\n${code}\n${fenceFor(code)}`,
  words: ({ code }) => [code],
  prose: false,
  shows: null,
  wordless: "Empty",
  style: `
.body pre { direction: ltr; background: var(--well); border-radius: 6px; padding: 1.25rem; overflow-x: auto; }
.body pre code { display: block; font: .9375rem/1.5rem var(--mono); background: none; padding: 0; overflow-wrap: normal; tab-size: 2; width: max-content; min-width: 100%; }
.body pre .k { color: var(--purple); }
.body pre .t { color: var(--blue); }
.body pre .s { color: var(--green); }
.body pre .n { color: var(--orange); }
.body pre .d { color: var(--red); }
.body pre .c { color: var(--muted); }`,
});
