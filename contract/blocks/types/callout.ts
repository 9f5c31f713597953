import { blockType } from "../block-type.ts";
import { englishBlockWords } from "../block-labels.ts";
import { cleanInline, inlineText, publishedInline } from "../inline-html.ts";
import { inlineToMarkdown, quoted } from "../inline-to-markdown.ts";
import { inlineToWholeMarkdown } from "../inline-to-whole-markdown.ts";
import { asOneOf } from "../read.ts";

export const calloutKinds = ["info", "tip", "warning", "danger"] as const;
export type CalloutKind = (typeof calloutKinds)[number];

export const calloutLabels: Readonly<Record<CalloutKind, string>> = { info: "Info", tip: "Tip", warning: "Warning", danger: "Danger" };

export const alertOf: Readonly<Record<CalloutKind, string>> = { info: "NOTE", tip: "TIP", warning: "WARNING", danger: "CAUTION" };

export const callout = blockType({
  name: "Callout",
  phrase: "a callout",
  schema: ({ z, inline }) => z.object({ kind: z.enum(calloutKinds), text: inline }),
  clean: (data) => ({ kind: asOneOf(data["kind"], calloutKinds) ?? "info", text: cleanInline(data["text"]) }),
  html: ({ kind, text }, { page, words: labels = englishBlockWords }) => {
    const label = labels[kind];
    const words = publishedInline(text);
    if (!page) return `<blockquote><p><strong>${label}:</strong> ${words}</p></blockquote>`;
    // role="note", not a landmark: a page may have many.
    return `<aside class="callout callout-${kind}" role="note" aria-label="${label}"><span aria-hidden="true">${label}</span><p>${words}</p></aside>`;
  },
  markdown: ({ kind, text }, { whole }) => quoted(`[!${alertOf[kind]}]\n${whole ? inlineToWholeMarkdown(text) : inlineToMarkdown(text)}`),
  words: ({ text }) => [inlineText(text)],
  prose: true,
  shows: null,
  wordless: "Empty",
  style: `
.body .callout { border-inline-start: 3px solid var(--ink); border-radius: 6px; padding: .875rem 1.25rem 1rem; background: var(--ground); }
.body .callout > span { color: var(--ink); font: 600 .9375rem/1.375rem var(--sans); }
.body .callout code { background: var(--panel); }
.callout-info { --ink: var(--blue); --ground: var(--blue-ground); }
.callout-tip { --ink: var(--green); --ground: var(--green-ground); }
.callout-warning { --ink: var(--orange); --ground: var(--orange-ground); }
.callout-danger { --ink: var(--red); --ground: var(--red-ground); }
@media print { .body .callout { break-inside: avoid; } }`,
});
