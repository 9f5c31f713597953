import Code from "@editorjs/code";
import { escapeHtml } from "#contract/blocks/text.ts";
import type { HtmlReader } from "../paste/html-pieces.ts";
import { field } from "./control-names.ts";
import type { EditorBlock } from "./editor-block.ts";

const read: HtmlReader = (element, { source }) => {
  const text = source(element).replace(/^\n|\n+$/g, "");
  return text.trim() === "" ? [] : [{ type: "code", data: { code: text } }];
};

const fence = /^\s*(`{3,}|~{3,})/;

export const code: EditorBlock<"code"> = {
  tool: () => ({ class: Code, config: { placeholder: "Code" } }),
  shortcuts: { "```": (rest) => ({ code: rest }) },
  html: { PRE: read },
  markdown: {
    begins: fence,
    tells: true,
    read: (lines, at) => {
      const [, open = ""] = fence.exec(lines[at]!) ?? [];
      const close = lines.findIndex((line, index) => index > at && line.trim().startsWith(open));
      const end = close === -1 ? lines.length : close;
      return [{ type: "code", data: { code: lines.slice(at + 1, end).join("\n") } }, end + 1];
    },
  },
  lines: (data) => data.code.split("\n").map(escapeHtml),
  names: [[".ce-code__textarea", field("Code")]],
  holdsCaret: true,
};
