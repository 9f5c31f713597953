import { attributeText, childrenOf, type Element, type HtmlNode, isBlank, isElement, isList, isNamed, onlyChild } from "./elements.ts";

export const checkboxState = (node: Element): boolean | null =>
  /^(?:checkbox|radio)$/i.test(attributeText(node, "type")) ? attributeText(node, "checked") !== "" : null;

function firstCheckbox(node: Element): Element | null {
  for (const child of childrenOf(node)) {
    if (isBlank(child)) continue;
    if (!isElement(child) || isList(child)) return null;
    if (child.tagName === "input") return checkboxState(child) === null ? null : child;
    return firstCheckbox(child);
  }
  return null;
}

export function takeCheckbox(item: Element): boolean | null {
  const box = firstCheckbox(item);
  if (box !== null) {
    const isChecked = checkboxState(box);
    box.properties = { type: "hidden" };
    return isChecked;
  }
  const state = attributeText(item, "dataChecked");
  const isTask = state !== "" || /task-?(?:list-?)?item|checklist/i.test(attributeText(item, "className", "dataType"));
  return isTask ? state === "true" : null;
}

const isBesideImage = (child: HtmlNode): boolean => isNamed(child, "figcaption", "source");

function holdsOnlyImage(node: Element): boolean {
  const only = onlyChild(node, isBesideImage);
  if (only === null || !isElement(only)) return false;
  return only.tagName === "img" || (isNamed(only, "figure", "picture", "a", "div", "span") && holdsOnlyImage(only));
}

/** A list of images only, as in WordPress galleries before 5.9. */
export function isGallery(list: Element): boolean {
  const items = childrenOf(list).filter((child) => !isBlank(child));
  return items.length > 0 && items.every((item) => isNamed(item, "li") && holdsOnlyImage(item));
}
