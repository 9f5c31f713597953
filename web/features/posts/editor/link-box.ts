import "./link-box.css";
import { safeLink } from "#contract/blocks/safe-url.ts";
import { addressFrom } from "./addresses.ts";
import { linkElement, selectedPiece, unwrap, wrap } from "./marks.ts";
import { putCaretAfter, textOf } from "./text-at-caret.ts";

const gap = 6; // px between the words and the box

export interface LinkBox {
  /** For what is selected, or the link of the caret. */
  open(): void;
  stop(): void;
}

export interface LinkBoxOptions {
  isReadOnly(): boolean;
  /** Asked before the text changes: undo leads back to here. */
  remember(): void;
  onChange(): void;
}

/**
 * The box of a link: its address to write, follow or take off. A click on a link opens it, Ctrl/Cmd+K with words selected or in a link, and the
 * button above selected words. The text stays as it is until the address is taken; while it is written, the words are only painted.
 */
export function listenForLinks(holder: HTMLElement, { isReadOnly, remember, onChange }: LinkBoxOptions): LinkBox {
  const box = Object.assign(document.createElement("div"), { className: "link-box", role: "dialog", ariaLabel: "Link" });
  const field = Object.assign(document.createElement("input"), {
    type: "text",
    inputMode: "url",
    autocomplete: "off",
    placeholder: "Paste or write an address",
    ariaLabel: "Link address",
  });
  field.spellcheck = false;
  const save = button("Save", "");
  const follow = Object.assign(document.createElement("a"), { textContent: "Open", target: "_blank", rel: "noopener noreferrer" });
  const remove = button("Remove", "link-box-remove");
  const problem = Object.assign(document.createElement("p"), { className: "link-box-problem", role: "status" });
  box.append(field, save, follow, remove, problem);

  let target: { link: HTMLElement | null; range: Range; text: HTMLElement } | null = null;

  const close = (andWriteOn: boolean) => {
    if (!target) return;
    const { link, range, text } = target;
    target = null;
    box.remove();
    CSS.highlights?.delete("link-box");
    if (!andWriteOn) return;
    text.focus();
    if (link?.isConnected) putCaretAfter(link);
    else getSelection()?.setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
  };
  const open = () => {
    const link = linkAtSelection(holder);
    const piece = selectedPiece(holder);
    const range = link ? rangeOf(link) : piece;
    const text = range && textOf(range.startContainer);
    if (!range || !text || isReadOnly()) return;
    target = { link, range, text };
    field.value = link?.getAttribute("href") ?? "";
    problem.textContent = "";
    const href = safeLink(field.value);
    follow.hidden = remove.hidden = link === null;
    if (href !== null) follow.href = href;
    holder.append(box);
    place(range);
    if (typeof Highlight === "function") CSS.highlights.set("link-box", new Highlight(range));
    field.focus();
    field.select();
  };
  const place = (range: Range) => {
    const words = [...range.getClientRects()].at(-1) ?? range.getBoundingClientRect();
    const around = holder.getBoundingClientRect();
    box.style.top = `${words.bottom - around.top + gap}px`;
    box.style.left = `${Math.max(0, Math.min(words.left - around.left, around.width - box.offsetWidth))}px`;
  };
  const take = () => {
    if (!target) return;
    if (field.value.trim() === "" && target.link) return takeOff();
    const href = addressFrom(field.value);
    if (href === null) {
      problem.textContent = "This is no address: write https://… or an email address";
      field.focus();
      return;
    }
    remember();
    if (target.link) target.link.setAttribute("href", href);
    else {
      const link = linkElement(href);
      wrap(target.range, link);
      target.link = link;
    }
    close(true);
    onChange();
  };
  const takeOff = () => {
    const link = target?.link;
    if (!target || !link) return;
    remember();
    const last = link.lastChild;
    unwrap(link);
    if (last) target.range.setEndAfter(last);
    target.range.collapse(false);
    close(true);
    onChange();
  };

  save.addEventListener("click", take);
  remove.addEventListener("click", takeOff);
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") close(true);
    else if (event.key === "Enter" && event.target === field) take();
    else {
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation(); // its keys are not the text's
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  // Editor.js takes what is pressed or pasted anywhere in its place for its own.
  for (const type of ["mousedown", "mouseup", "paste", "input"]) box.addEventListener(type, (event) => event.stopPropagation());

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    if (isReadOnly() || (!selectedPiece(holder) && !linkAtSelection(holder))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open();
  };
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || box.contains(link) || !textOf(link) || isReadOnly()) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey)
      return void window.open(safeLink(link.getAttribute("href") ?? "") ?? undefined, "_blank", "noopener");
    if (getSelection()?.isCollapsed) open();
  };
  const onPointerDown = ({ target: pressed }: PointerEvent) => {
    if (!(pressed instanceof Node && box.contains(pressed))) close(false);
  };
  window.addEventListener("keydown", onKeyDown, true);
  holder.addEventListener("click", onClick);
  document.addEventListener("pointerdown", onPointerDown, true);
  return {
    open,
    stop() {
      close(false);
      window.removeEventListener("keydown", onKeyDown, true);
      holder.removeEventListener("click", onClick);
      document.removeEventListener("pointerdown", onPointerDown, true);
    },
  };
}

function button(label: string, className: string): HTMLButtonElement {
  return Object.assign(document.createElement("button"), { type: "button", textContent: label, className });
}

function rangeOf(element: Element): Range {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range;
}

/** The link that the caret or all that is selected stands in. */
function linkAtSelection(holder: HTMLElement): HTMLElement | null {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return null;
  const { commonAncestorContainer: node } = selection.getRangeAt(0);
  const link = (node instanceof Element ? node : node.parentElement)?.closest("a") ?? null;
  return link && holder.contains(link) && textOf(link) ? link : null;
}
