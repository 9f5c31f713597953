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
  holder.addEventListener("input", onCaption);
  holder.addEventListener("click", onTick);
  return () => {
    observer.disconnect();
    holder.removeEventListener("input", onCaption);
    holder.removeEventListener("click", onTick);
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

type Name = (element: HTMLElement) => void;

/** Shows only under a mouse; the block's settings offer the same (./post-table.ts). */
const mouseOnly: Name = (element) => {
  element.setAttribute("aria-hidden", "true");
  element.tabIndex = -1;
};

const button =
  (label: string): Name =>
  (element) => {
    if (!element.matches("button")) element.setAttribute("role", "button");
    element.setAttribute("aria-label", label);
    element.title = label;
    element.tabIndex = 0;
    if (!element.matches("button")) element.addEventListener("keydown", clickByKey);
  };

const field =
  (label: string): Name =>
  (element) =>
    element.setAttribute("aria-label", label);

/** Text that can be written in says what it is; a caption also keeps its role when the block is drawn again. */
const textbox =
  (label: string): Name =>
  (element) => {
    if (!element.isContentEditable && element.getAttribute("contenteditable") !== "true") return;
    element.setAttribute("role", "textbox");
    element.setAttribute("aria-multiline", "true");
    element.setAttribute("aria-label", label);
  };

const controls: readonly (readonly [selector: string, name: Name])[] = [
  [".ce-toolbar__plus", button("Add a block")],
  [".ce-toolbar__settings-btn", button("Block settings")],
  [".ce-inline-tool", nameInlineTool],
  [".ce-inline-tool-input", field("Link address")],
  [".cdx-search-field__input", field("Filter")],
  [".ce-paragraph", textbox("Paragraph")],
  [".cdx-list__item-content", textbox("List item")],
  [".cdx-checklist__item-text", textbox("Checklist item")],
  [".cdx-checklist__item-checkbox", nameCheckbox],
  [".cdx-quote__text", textbox("Quote")],
  [".cdx-quote__caption", textbox("Who said it")],
  [".image-tool__caption", textbox("Caption")],
  [".image-tool__image-picture", describeImage],
  [".image-tool > .cdx-button", button("Select an Image")],
  [".ce-code__textarea", field("Code")],
  [".tc-cell", textbox("Table cell")],
  [".tc-add-column", button("Add a column")],
  [".tc-add-row", button("Add a row")],
  [".tc-toolbox__toggler", mouseOnly],
  [".tc-popover__item", (element) => button(element.textContent.trim())(element)],
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

/** A picture's caption is also what it is called; without one it is passed over. */
function describeImage(element: HTMLElement): void {
  const caption = element.closest(".image-tool")?.querySelector(".image-tool__caption")?.textContent;
  element.setAttribute("alt", caption?.trim() ?? "");
}

function onCaption({ target }: Event): void {
  const tool = target instanceof HTMLElement && target.matches(".image-tool__caption") && target.closest(".image-tool");
  const picture = tool && tool.querySelector<HTMLElement>(".image-tool__image-picture");
  if (picture) describeImage(picture);
}

function nameCheckbox(element: HTMLElement): void {
  button("Done")(element);
  element.setAttribute("role", "checkbox");
  const item = element.closest(".cdx-checklist__item");
  element.setAttribute("aria-checked", String(item?.classList.contains("cdx-checklist__item--checked") ?? false));
}

/** The checklist changes a class at a click; afterwards the checkboxes say the same. */
function onTick({ currentTarget, target }: Event): void {
  if (!(target instanceof Element) || !target.closest(".cdx-checklist__item-checkbox")) return;
  const holder = currentTarget as HTMLElement;
  setTimeout(() => holder.querySelectorAll<HTMLElement>(".cdx-checklist__item-checkbox").forEach(nameCheckbox));
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

function clickByKey(event: KeyboardEvent): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  (event.currentTarget as HTMLElement).click();
}
