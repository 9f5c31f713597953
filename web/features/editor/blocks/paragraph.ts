import { textbox } from "./control-names.ts";
import type { EditorBlock } from "./editor-block.ts";
import { icon } from "./menu-entry.ts";

export const paragraph: EditorBlock<"paragraph"> = {
  tool: null,
  menu: [
    {
      title: "Text",
      icon: icon('<path d="M5 7V5h14v2M12 5v14M9.5 19h5"/>'),
      words: "paragraph plain p normal",
      data: {},
    },
  ],
  shortcuts: {},
  html: {},
  markdown: null,
  lines: ({ text }) => [text],
  names: [[".ce-paragraph", textbox("Paragraph")]],
  writing: "text",
};
