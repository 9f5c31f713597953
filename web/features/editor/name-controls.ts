import { allBlocks } from "./blocks/editor-blocks.ts";
import { button, type ControlName, field } from "./blocks/control-names.ts";

/**
 * Accessible names and roles for Editor.js controls, which have none, including those added later. Returns a cleanup function.
 */
export function nameEditorControls(holder: HTMLElement): () => void {
  const observer = new MutationObserver((records) => {
    for (const record of records) for (const node of record.addedNodes) if (node instanceof HTMLElement) nameWithin(node);
  });
  nameWithin(holder);
  observer.observe(holder, { childList: true, subtree: true });
  const followers = allBlocks.flatMap(([, { updates }]) => updates ?? []);
  for (const { event, listener } of followers) holder.addEventListener(event, listener);
  holder.addEventListener("keydown", pickFirstMatch, true);
  return () => {
    observer.disconnect();
    holder.removeEventListener("keydown", pickFirstMatch, true);
    for (const { event, listener } of followers) holder.removeEventListener(event, listener);
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
  [".ce-toolbar__plus", button("Add block")],
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

function nameInlineTool(element: HTMLElement): void {
  const tool = element.closest<HTMLElement>("[data-item-name]")?.dataset.itemName ?? "";
  const label = inlineToolNames[tool] ?? tool;
  element.setAttribute("aria-label", label);
  element.title = label;
}

/** Enter in a menu's filter picks the first match; Editor.js requires an arrow key first. */
function pickFirstMatch(event: KeyboardEvent): void {
  const { target } = event;
  if (event.key !== "Enter" || event.isComposing || !(target instanceof HTMLInputElement) || !target.matches(".cdx-search-field__input"))
    return;
  const items = target.closest(".ce-popover__container")?.querySelectorAll<HTMLElement>(".ce-popover-item:not(.ce-popover-item--hidden)");
  if (!items || target.value.trim() === "" || [...items].some((item) => item.matches(".ce-popover-item--focused"))) return;
  event.preventDefault();
  event.stopPropagation();
  items[0]?.click();
}

/** Scrollable, so it must be reachable by keyboard. */
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
