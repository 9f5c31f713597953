/** A root for content in the page's own flow, styled as the widget's; at the start of `place` or its end. */
export function inFlow(place: Element, root: HTMLElement, isFirst: boolean): HTMLElement {
  const host = document.createElement("tidings-placement");
  host.className = "flow";
  const shadow = host.attachShadow({ mode: "open" });
  shadow.adoptedStyleSheets = (root.getRootNode() as ShadowRoot).adoptedStyleSheets;
  const inner = root.cloneNode() as HTMLElement;
  shadow.append(inner);
  if (isFirst) place.prepend(host);
  else place.append(host);
  return inner;
}
