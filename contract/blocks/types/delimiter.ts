import { blockType } from "../block-type.ts";

export const delimiter = blockType({
  name: "Divider",
  phrase: "a divider",
  schema: ({ z }) => z.object({}),
  clean: () => ({}),
  html: () => "<hr>",
  markdown: () => "---",
  words: () => [],
  prose: false,
  shows: null,
  wordless: "Divider",
  style: `
.body hr { border: 0; margin-block: 3rem; text-align: center; color: var(--muted); height: 1.5rem; }
.body hr::before { content: "* * *"; letter-spacing: .5em; margin-right: -.5em; }`,
});
