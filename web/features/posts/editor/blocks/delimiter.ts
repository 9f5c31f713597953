import Delimiter from "@editorjs/delimiter";
import type { EditorBlock } from "./editor-block.ts";

export const delimiter: EditorBlock<"delimiter"> = {
  tool: () => ({ class: Delimiter }),
  shortcuts: { "---": () => ({}) },
  html: { HR: () => [{ type: "delimiter", data: {} }] },
  markdown: {
    begins: /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/,
    tells: false,
    read: (_, at) => [{ type: "delimiter", data: {} }, at + 1],
  },
  lines: () => [],
  names: [],
  holdsCaret: false,
};
