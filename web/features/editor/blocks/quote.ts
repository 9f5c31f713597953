import Quote from "@editorjs/quote";
import type { Block } from "#contract/blocks/schema.ts";
import type { HtmlReader } from "../paste/html-pieces.ts";
import { markdownInline } from "../paste/markdown-inline.ts";
import { textbox } from "./control-names.ts";
import type { EditorBlock } from "./editor-block.ts";
import { icon } from "./menu-entry.ts";

/** Enter adds a line break; in an empty last line or the caption it adds a paragraph below. Browsers would add elements that aren't saved. */
class PostQuote extends Quote {
  override render(): HTMLElement {
    const element = super.render();
    element.addEventListener("beforeinput", (event) => this.#write(event));
    return element;
  }

  #write(event: InputEvent): void {
    if (event.inputType !== "insertParagraph" || !(event.target instanceof HTMLElement)) return;
    event.preventDefault();
    const text = event.target;
    const inCaption = text.matches(".cdx-quote__caption");
    if (!inCaption && !isOnEmptyLastLine(text)) return void document.execCommand("insertLineBreak");
    if (!inCaption) while (text.lastChild && text.lastChild.textContent === "") text.lastChild.remove();
    const { blocks, caret } = this.api;
    const below = blocks.getCurrentBlockIndex() + 1;
    blocks.insert("paragraph", {}, undefined, below, true);
    caret.setToBlock(below, "start");
  }
}

function isOnEmptyLastLine(text: HTMLElement): boolean {
  const range = getSelection()?.getRangeAt(0);
  if (!range?.collapsed) return false;
  const before = document.createRange();
  before.setStart(text, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const after = document.createRange();
  after.setStart(range.startContainer, range.startOffset);
  after.setEnd(text, text.childNodes.length);
  const parts = [...before.cloneContents().childNodes].filter((node) => node.nodeName === "BR" || node.textContent !== "");
  return after.toString() === "" && parts.at(-1)?.nodeName === "BR";
}

const read: HtmlReader = (element, { blocks: blocksOf, captioned, lines, within }) => {
  const source = [...element.querySelectorAll("footer, cite")].find((part) => part.closest("blockquote") === element);
  source?.remove();
  const blocks: Block[] = [];
  for (const block of blocksOf(within(element))) {
    const before = blocks.at(-1);
    if (block.type !== "paragraph") blocks.push(block);
    else if (before?.type === "quote" && before.data.caption === "") before.data.text += `<br>${block.data.text}`;
    else blocks.push({ type: "quote", data: { text: block.data.text, caption: "", alignment: "left" } });
  }
  return captioned(blocks, source ? lines(source) : "");
};

const line = /^\s*>\s?/;

export const quote: EditorBlock<"quote"> = {
  tool: () => ({ class: PostQuote, inlineToolbar: true, config: { quotePlaceholder: "Quote", captionPlaceholder: "Add attribution" } }),
  menu: [
    {
      title: "Quote",
      icon: icon('<path d="M10 8H6v5h4zv4c0 2-1 3-3 4M18 8h-4v5h4zv4c0 2-1 3-3 4"/>'),
      words: "blockquote citation cite said",
      data: {},
      hint: ">",
    },
  ],
  shortcuts: { ">": (text) => ({ text, caption: "", alignment: "left" }) },
  html: { BLOCKQUOTE: read },
  markdown: {
    pattern: line,
    isDistinctive: true,
    read: (lines, at) => {
      let end = at;
      while (end < lines.length && line.test(lines[end]!)) end++;
      const words = lines.slice(at, end).map((one) => markdownInline(one.replace(line, "")));
      return [{ type: "quote", data: { text: words.join("<br>"), caption: "", alignment: "left" } }, end];
    },
  },
  lines: ({ text, caption }) => [text, caption],
  names: [
    [".cdx-quote__text", textbox("Quote")],
    [".cdx-quote__caption", textbox("Attribution")],
  ],
  writing: "text",
};
