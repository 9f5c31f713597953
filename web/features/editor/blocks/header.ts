import Header from "@editorjs/header";
import { declared } from "../paste/html-marks.ts";
import type { HtmlReader } from "../paste/html-pieces.ts";
import { markdownInline } from "../paste/markdown-inline.ts";
import type { EditorBlock } from "./editor-block.ts";
import { icon } from "./menu-entry.ts";

/** Keeps line breaks: saved without them, words around one would run together. */
class PostHeader extends Header {
  static get sanitize() {
    return { level: false, text: { br: true } };
  }
}

const iconOf = (level: number): string =>
  icon(
    `<path d="M4 6v12M12 6v12M4 12h8"/><text x="15" y="18" font-family="sans-serif" font-size="10" font-weight="700" fill="currentColor" stroke="none">${level}</text>`,
  );

const ofLevel = (level: number) => (text: string) => ({ text, level });
const shownLevel = (level: number): number => Math.min(Math.max(level, 2), 4);
const line = /^(#{1,6})\s+(.+?)\s*#*$/;

const read: HtmlReader = (element, { flat, within }) => {
  element.querySelectorAll("*").forEach((part) => isMarker(part) && part.remove());
  const { lines, images } = flat(within(element));
  const level = shownLevel(Number(element.tagName[1]));
  return [...(lines.length > 0 ? [{ type: "header", data: { text: lines.join("<br>"), level } } as const] : []), ...images];
};

const isMarker = (element: Element): boolean => declared(element, "mso-list") === "ignore";

export const header: EditorBlock<"header"> = {
  tool: () => ({ class: PostHeader, inlineToolbar: true, config: { levels: [2, 3, 4], defaultLevel: 2, placeholder: "Heading" } }),
  menu: [
    {
      title: "Heading 2",
      icon: iconOf(2),
      words: "h2 h1 heading1 heading2 header title section large big",
      data: { level: 2 },
      initialData: ofLevel(2)(""),
      hint: "##",
    },
    {
      title: "Heading 3",
      icon: iconOf(3),
      words: "h3 heading3 header subheading medium",
      data: { level: 3 },
      initialData: ofLevel(3)(""),
      hint: "###",
    },
    {
      title: "Heading 4",
      icon: iconOf(4),
      words: "h4 h5 h6 heading4 header subheading small",
      data: { level: 4 },
      initialData: ofLevel(4)(""),
      hint: "####",
    },
  ],
  shortcuts: { "#": ofLevel(2), "##": ofLevel(2), "###": ofLevel(3), "####": ofLevel(4) },
  html: { H1: read, H2: read, H3: read, H4: read, H5: read, H6: read },
  markdown: {
    pattern: line,
    isDistinctive: true,
    read: (lines, at) => {
      const [, signs = "", title = ""] = line.exec(lines[at]!) ?? [];
      return [{ type: "header", data: { text: markdownInline(title), level: shownLevel(signs.length) } }, at + 1];
    },
  },
  lines: ({ text }) => [text],
  names: [],
  writing: "text",
};
