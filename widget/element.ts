type Child = Node | string | null;

/** An element with a class, attributes and children; strings become text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  attributes: Record<string, string>,
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  for (const name of Object.keys(attributes)) made.setAttribute(name, attributes[name] as string);
  for (const child of children) if (child !== null) made.append(child);
  return made;
}

/** A line drawing on a field of 24 by 24. */
export function drawing(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const line = document.createElementNS(space, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  svg.appendChild(line);
  return svg;
}
