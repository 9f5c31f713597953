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
  return () => {
    observer.disconnect();
    for (const { event, listener } of following) holder.removeEventListener(event, listener);
  };
}

const inlineToolNames: Readonly<Record<string, string>> = {
  "convert-to": "Turn into",
  bold: "Bold",
  italic: "Italic",
  link: "Link",
  inlineCode: "Inline code",
  marker: "Highlight",
};

const controls: readonly ControlName[] = [
  [".ce-toolbar__plus", button("Add a block")],
  [".ce-toolbar__settings-btn", button("Block settings")],
  [".ce-inline-tool", nameInlineTool],
  [".ce-inline-tool-input", field("Link address")],
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
