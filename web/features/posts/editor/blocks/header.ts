import Header from "@editorjs/header";
import { declared } from "../paste/html-marks.ts";
import type { HtmlReader } from "../paste/html-pieces.ts";
import { markdownInline } from "../paste/markdown-inline.ts";
import type { EditorBlock } from "./editor-block.ts";

/** A heading keeps its line breaks: without them the words before and behind one would run together when it is saved. */
class PostHeader extends Header {
  static get sanitize() {
    return { level: false, text: { br: true } };
  }
}

const ofLevel = (level: number) => (text: string) => ({ text, level });
const shownLevel = (level: number): number => Math.min(Math.max(level, 2), 4);
const line = /^(#{1,6})\s+(.+?)\s*#*$/;

const read: HtmlReader = (element, { flat, within }) => {
  element.querySelectorAll("*").forEach((part) => isMarker(part) && part.remove());
  const { lines, pictures } = flat(within(element));
  const level = shownLevel(Number(element.tagName[1]));
  return [...(lines.length > 0 ? [{ type: "header", data: { text: lines.join("<br>"), level } } as const] : []), ...pictures];
};

/** The number that Word paints before a heading. */
const isMarker = (element: Element): boolean => declared(element, "mso-list") === "ignore";

export const header: EditorBlock<"header"> = {
  tool: () => ({ class: PostHeader, inlineToolbar: true, config: { levels: [2, 3, 4], defaultLevel: 2, placeholder: "Heading" } }),
  shortcuts: { "##": ofLevel(2), "###": ofLevel(3), "####": ofLevel(4) },
  html: { H1: read, H2: read, H3: read, H4: read, H5: read, H6: read },
  markdown: {
    begins: line,
    tells: true,
    read: (lines, at) => {
      const [, signs = "", title = ""] = line.exec(lines[at]!) ?? [];
      return [{ type: "header", data: { text: markdownInline(title), level: shownLevel(signs.length) } }, at + 1];
    },
  },
  lines: ({ text }) => [text],
  names: [],
  holdsCaret: true,
};
