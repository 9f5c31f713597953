export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  if (tag === "a") Object.assign(made, { target: "_blank", rel: "noopener" }); // links open in a new tab
  made.append(...children);
  // Removes images that fail to load, e.g. blocked by the page's CSP.
  made.onerror = () => made.remove();
  return made;
}

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

/** True for clicks that open a new tab or window. */
export const elsewhere = (event: MouseEvent): boolean => event.ctrlKey || event.metaKey || event.shiftKey;
