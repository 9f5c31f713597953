import { allBlocks } from "./blocks/editor-blocks.ts";
import { button, type ControlName, field } from "./blocks/control-names.ts";

/**
 * Editor.js leaves its buttons without names and its drop-downs without roles. This gives both to what is there and to
 * whatever the editor adds later. Returns how to stop. Source: frontend-facts ("6 unnamed buttons").
 */
export function nameEditorControls(holder: HTMLElement): () => void {
  const observer = new MutationObserver((records) => {
    for (const record of records) for (const node of record.addedNodes) if (node instanceof HTMLElement) nameWithin(node);
  });
  nameWithin(holder);
  observer.observe(holder, { childList: true, subtree: true });
  const following = allBlocks.flatMap(([, { follows }]) => follows ?? []);
  for (const { event, listener } of following) holder.addEventListener(event, listener);
  holder.addEventListener("keydown", takeFirstHit, true);
  return () => {
    observer.disconnect();
    holder.removeEventListener("keydown", takeFirstHit, true);
    for (const { event, listener } of following) holder.removeEventListener(event, listener);
  };
}

const inlineToolNames: Readonly<Record<string, string>> = {
  "convert-to": "Turn into",
  bold: "Bold",
  italic: "Italic",
  link: "Link",
  inlineCode: "Inline code",
  strike: "Strikethrough",
  marker: "Highlight",
};

const controls: readonly ControlName[] = [
  [".ce-toolbar__plus", button("Add a block")],
  [".ce-toolbar__settings-btn", button("Block settings")],
  [".ce-inline-tool", nameInlineTool],
  [".cdx-search-field__input", field("Filter")],
  ...allBlocks.flatMap(([, { names }]) => names),
  [".ce-popover-item[data-item-name]", namePopoverItem],
  [".ce-popover__items", focusable],
];

function nameWithin(root: HTMLElement): void {
  for (const [selector, name] of controls) {
    if (root.matches(selector)) name(root);
    for (const element of root.querySelectorAll<HTMLElement>(selector)) name(element);
  }
}

/** Tools that draw their own button stand inside an item that carries their name. */
function nameInlineTool(element: HTMLElement): void {
  const tool = element.closest<HTMLElement>("[data-item-name]")?.dataset.itemName ?? "";
  const label = inlineToolNames[tool] ?? tool;
  element.setAttribute("aria-label", label);
  element.title = label;
}

/** Enter in a menu's filter takes the first that is left; Editor.js waits for an arrow key. */
function takeFirstHit(event: KeyboardEvent): void {
  const { target } = event;
  if (event.key !== "Enter" || event.isComposing || !(target instanceof HTMLInputElement) || !target.matches(".cdx-search-field__input"))
    return;
  const items = target.closest(".ce-popover__container")?.querySelectorAll<HTMLElement>(".ce-popover-item:not(.ce-popover-item--hidden)");
  if (!items || target.value.trim() === "" || [...items].some((item) => item.matches(".ce-popover-item--focused"))) return;
  event.preventDefault();
  event.stopPropagation();
  items[0]?.click();
}

/** It scrolls, so the keyboard has to reach it. */
function focusable(element: HTMLElement): void {
  element.tabIndex = 0;
}

function namePopoverItem(element: HTMLElement): void {
  const title = element.querySelector(".ce-popover-item__title")?.textContent;
  const label = title || inlineToolNames[element.dataset.itemName ?? ""] || element.dataset.itemName;
  if (!label) return;
  if (!element.matches("button")) element.setAttribute("role", "button");
  element.setAttribute("aria-label", label);
  element.title = label;
}
