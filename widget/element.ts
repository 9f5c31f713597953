/** An element with attributes and children; strings become text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  if (tag === "a") Object.assign(made, { target: "_blank", rel: "noopener" }); // links leave the page of the host alone
  made.append(...children);
  // An image that cannot be had, for instance because the page's policy forbids it, is taken away again; nothing else can fail.
  made.onerror = () => made.remove();
  return made;
}

/** A line drawing on a field of 24 by 24. */
export function drawing(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Whether a click wants a link in another tab or window: the browser's own affair. */
export const elsewhere = (event: MouseEvent): boolean => event.ctrlKey || event.metaKey || event.shiftKey;
