import List from "@editorjs/list";
import { blockLimits } from "#contract/blocks/limits.ts";
import type { Block, BlockData } from "#contract/blocks/schema.ts";
import { edge, type HtmlReader, type Inside, isListPiece, type Piece } from "../paste/html-pieces.ts";
import { listBlock, type ListLine, listLines } from "../paste/list-block.ts";
import { markdownInline } from "../paste/markdown-inline.ts";
import { button, textbox } from "./control-names.ts";
import type { EditorBlock } from "./editor-block.ts";
import { icon } from "./menu-entry.ts";

const item = (content: string, meta: { checked?: boolean } = {}) => ({ content, meta, items: [] });
const ofStyle =
  (style: "ordered" | "unordered") =>
  (rest: string): BlockData<"list"> => ({ style, meta: {}, items: [item(rest)] });

const toDo =
  (checked: boolean) =>
  (rest: string): BlockData<"list"> => ({ style: "checklist", meta: {}, items: [item(rest, { checked })] });

const line = /^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/;

function lineOf(text: string): ListLine {
  const [, indent = "", , number, box, words = ""] = line.exec(text) ?? [];
  return {
    depth: Math.floor(indent.replaceAll("\t", "  ").length / 2),
    ordered: number !== undefined,
    checked: box === undefined ? null : box !== " ",
    html: markdownInline(words),
  };
}

interface Part {
  lines: ListLine[];
  images: Block[];
}

const read: HtmlReader = (element, inside) => {
  const parts = [...element.children].map((child) => {
    const isDirect = child.matches("ul, ol"); // Google Docs writes inner lists beside the items
    return isDirect
      ? { ...onlyList(read(child, inside) ?? [], inside), isDirect }
      : { ...itemOf(child, element.matches("ol"), inside), isDirect };
  });
  const lines = parts.flatMap((part) => (part.isDirect ? part.lines.map(deeper) : part.lines));
  return [{ lines, word: null }, ...parts.flatMap(({ images }) => images)];
};

function onlyList(pieces: readonly Piece[], { flat }: Inside): Part {
  return {
    lines: pieces.filter(isListPiece).flatMap(({ lines }) => lines),
    images: flat(pieces.filter((piece) => !isListPiece(piece))).images,
  };
}

const deeper = (one: ListLine): ListLine => ({ ...one, depth: one.depth + 1 });

function itemOf(element: Element, ordered: boolean, inside: Inside): Part {
  const pieces = inside.within(element);
  const { lines: words, images } = inside.flat(pieces.map((piece) => (isListPiece(piece) ? edge : piece)));
  const below = onlyList(pieces.filter(isListPiece), inside).lines;
  if (words.length === 0) return { lines: below, images };
  const [, glyph, text = ""] = /^(?:([☐☑☒])\s*)?(.*)$/su.exec(words.join("<br>")) ?? [];
  const checked = checkOf(element) ?? (glyph === undefined ? null : glyph !== "☐");
  return { lines: [{ depth: 0, ordered, checked, html: text }, ...below.map(deeper)], images };
}

/** True if checked; null if it isn't a checkbox item. */
function checkOf(element: Element): boolean | null {
  const box = [...element.querySelectorAll("input[type=checkbox], [role=checkbox]")].find((one) => one.closest("li") === element);
  if (box?.matches("input")) return box.hasAttribute("checked");
  const checked = (box ?? element).getAttribute("aria-checked") ?? element.getAttribute("data-checked");
  return checked === null ? null : checked === "true";
}

const checkbox = ".cdx-list__checkbox";

function nameCheckbox(element: HTMLElement): void {
  button("Done")(element);
  element.setAttribute("role", "checkbox");
  element.setAttribute("aria-checked", String(element.matches(".cdx-list__checkbox--checked")));
  if (element.matches(".cdx-list__checkbox-check--disabled")) element.setAttribute("aria-disabled", "true");
}

function nameItem(element: HTMLElement): void {
  textbox(element.parentElement?.querySelector(`:scope > ${checkbox}`) ? "Checklist item" : "List item")(element);
}

export const list: EditorBlock<"list"> = {
  tool: () => ({
    class: List,
    inlineToolbar: true,
    config: { defaultStyle: "unordered", maxLevel: blockLimits.listDepth, counterTypes: ["numeric"] },
  }),
  menu: [
    {
      title: "Bulleted list",
      icon: icon('<path d="M9.5 6H20M9.5 12H20M9.5 18H20M4.5 6h.01M4.5 12h.01M4.5 18h.01"/>'),
      words: "bullets bulleted unordered ul points items",
      data: { style: "unordered" },
      initialData: ofStyle("unordered")(""),
      hint: "-",
    },
    {
      title: "Numbered list",
      icon: icon('<path d="M10 6h10M10 12h10M10 18h10M4 5l1.5-1v5M4 14.5c2.6-1.6 2.6.6 1 2l-1 1.5h2.6"/>'),
      words: "numbers numbered ordered ol steps 1.",
      data: { style: "ordered" },
      initialData: ofStyle("ordered")(""),
      hint: "1.",
    },
    {
      title: "To-do list",
      icon: icon('<rect x="4" y="5" width="14" height="14" rx="3"/><path d="m8 12 3 3 8-8"/>'),
      words: "todo task tasks checklist check checkbox tick",
      data: { style: "checklist" },
      initialData: toDo(false)(""),
      hint: "[]",
    },
  ],
  shortcuts: {
    "-": ofStyle("unordered"),
    "*": ofStyle("unordered"),
    "+": ofStyle("unordered"),
    "1.": ofStyle("ordered"),
    "1)": ofStyle("ordered"),
    "[]": toDo(false),
    "[ ]": toDo(false),
    "[x]": toDo(true),
  },
  html: { UL: read, OL: read },
  markdown: {
    pattern: line,
    isDistinctive: true,
    read: (lines, at) => {
      let end = at;
      while (end < lines.length && line.test(lines[end]!)) end++;
      return [listBlock(lines.slice(at, end).map(lineOf)), end];
    },
  },
  lines: (data) => listLines({ type: "list", data }).map(({ html }) => html),
  names: [
    [".cdx-list__item-content", nameItem],
    [checkbox, nameCheckbox],
  ],
  updates: {
    event: "click",
    /** The tool toggles a class on click: update the checkbox state afterwards. */
    listener({ currentTarget, target }) {
      if (!(target instanceof Element) || !target.closest(checkbox)) return;
      const holder = currentTarget as HTMLElement;
      setTimeout(() => holder.querySelectorAll<HTMLElement>(checkbox).forEach(nameCheckbox));
    },
  },
  writing: "parts",
};
