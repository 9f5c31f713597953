import Quote from "@editorjs/quote";

/**
 * Enter begins a new line, in an empty last line and in the caption a new paragraph below. A browser by itself makes lines of elements
 * that no quote keeps: saved, the lines would run together.
 */
export class PostQuote extends Quote {
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
