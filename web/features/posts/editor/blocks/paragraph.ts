import { textbox } from "./control-names.ts";
import type { EditorBlock } from "./editor-block.ts";

export const paragraph: EditorBlock<"paragraph"> = {
  tool: null,
  shortcuts: {},
  html: {},
  markdown: null,
  lines: ({ text }) => [text],
  names: [[".ce-paragraph", textbox("Paragraph")]],
  holdsCaret: true,
};
