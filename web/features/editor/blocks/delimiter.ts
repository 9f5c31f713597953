import Delimiter from "@editorjs/delimiter";
import type { EditorBlock } from "./editor-block.ts";
import { icon } from "./menu-entry.ts";

export const delimiter: EditorBlock<"delimiter"> = {
  tool: () => ({ class: Delimiter }),
  menu: [
    {
      title: "Divider",
      icon: icon('<path d="M4 12h16M8 7h8M8 17h8"/>'),
      words: "delimiter hr line rule separator break ---",
      data: {},
      hint: "---",
    },
  ],
  shortcuts: { "---": () => ({}) },
  html: { HR: () => [{ type: "delimiter", data: {} }] },
  markdown: {
    pattern: /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/,
    isDistinctive: false,
    onEnter: true,
    read: (_, at) => [{ type: "delimiter", data: {} }, at + 1],
  },
  lines: () => [],
  names: [],
  writing: "nowhere",
};
