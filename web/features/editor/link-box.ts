import { buttonClass } from "../../ui/button.tsx";
import { safeLink } from "#contract/blocks/safe-url.ts";
import { linkFromField } from "./addresses.ts";
import { linkElement, selectedPiece, unwrap, wrap } from "./marks.ts";
import { putCaretAfter, textOf } from "./text-at-caret.ts";

const gap = 6; // px between the text and the box

export interface LinkBox {
  open(): void;
  stop(): void;
}

export interface LinkBoxOptions {
  isReadOnly(): boolean;
  recordUndo(): void;
  onChange(): void;
}

/**
 * The link popover: edit, open or remove a link. Opens on a click on a link, on Ctrl/Cmd+K, or from the inline toolbar. The text changes
 * only when the URL is saved; until then the selection is only highlighted.
 */
export function listenForLinks(holder: HTMLElement, { isReadOnly, recordUndo, onChange }: LinkBoxOptions): LinkBox {
  const box = Object.assign(document.createElement("div"), { className: "floating link-box", role: "dialog", ariaLabel: "Link" });
  const field = Object.assign(document.createElement("input"), {
    type: "text",
    className: "p-inputtext p-component",
    inputMode: "url",
    autocomplete: "off",
    placeholder: "Paste or type a URL",
    ariaLabel: "Link URL",
  });
  field.spellcheck = false;
  const save = button("Save", buttonClass({ variant: "quiet", size: "small" }));
  const follow = Object.assign(document.createElement("a"), {
    textContent: "Open",
    className: buttonClass({ variant: "quiet", size: "small" }),
    target: "_blank",
    rel: "noopener noreferrer",
  });
  const remove = button("Remove", buttonClass({ variant: "quietDanger", size: "small" }));
  const problem = Object.assign(document.createElement("p"), { className: "field-problem", role: "status" });
  box.append(field, save, follow, remove, problem);

  let target: { link: HTMLElement | null; range: Range; text: HTMLElement } | null = null;

  const close = (restoreCaret: boolean) => {
    if (!target) return;
    const { link, range, text } = target;
    target = null;
    box.remove();
    CSS.highlights?.delete("link-box");
    if (!restoreCaret) return;
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
    remove.hidden = link === null;
    follow.hidden = href === null;
    if (href !== null) follow.href = href;
    holder.append(box);
    place(range);
    if (typeof Highlight === "function") CSS.highlights.set("link-box", new Highlight(range));
    field.focus();
    field.select();
  };
  const place = (range: Range) => {
    const lastLine = [...range.getClientRects()].at(-1) ?? range.getBoundingClientRect();
    const holderBox = holder.getBoundingClientRect();
    box.style.top = `${lastLine.bottom - holderBox.top + gap}px`;
    box.style.left = `${Math.max(0, Math.min(lastLine.left - holderBox.left, holderBox.width - box.offsetWidth))}px`;
  };
  const saveLink = () => {
    if (!target) return;
    if (field.value.trim() === "" && target.link) return removeLink();
    const href = linkFromField(field.value);
    if (href === null) {
      problem.textContent = "Enter a URL (https://…) or an email address";
      field.focus();
      return;
    }
    recordUndo();
    if (target.link) target.link.setAttribute("href", href);
    else {
      const link = linkElement(href);
      wrap(target.range, link);
      target.link = link;
    }
    close(true);
    onChange();
  };
  const removeLink = () => {
    const link = target?.link;
    if (!target || !link) return;
    recordUndo();
    const last = link.lastChild;
    unwrap(link);
    if (last) target.range.setEndAfter(last);
    target.range.collapse(false);
    close(true);
    onChange();
  };

  save.addEventListener("click", saveLink);
  remove.addEventListener("click", removeLink);
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") close(true);
    else if (event.key === "Enter" && event.target === field) saveLink();
    else {
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation(); // keys of the box aren't for the text
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  // Editor.js would handle presses and pastes inside its holder.
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

function linkAtSelection(holder: HTMLElement): HTMLElement | null {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return null;
  const { commonAncestorContainer: node } = selection.getRangeAt(0);
  const link = (node instanceof Element ? node : node.parentElement)?.closest("a") ?? null;
  return link && holder.contains(link) && textOf(link) ? link : null;
}
