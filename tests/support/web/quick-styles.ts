const hiddenByBrowsers = /^(?:head|script|style|template|title)$/;

const hides = (element: Element): boolean =>
  element.hasAttribute("hidden") ||
  hiddenByBrowsers.test(element.localName) ||
  (element.localName === "dialog" && !element.hasAttribute("open"));

/** What an element, or the nearest one around it, says of its visibility. */
function visibilityOf(element: Element | null): string {
  for (let one = element; one !== null; one = one.parentElement) {
    const own = (one as Partial<HTMLElement>).style?.visibility;
    if (own) return own;
  }
  return "visible";
}

/**
 * Computed styles from what elements say of themselves. No style sheet of ours is loaded in these tests, and jsdom works through the browser's own for
 * each element that a search by role comes by, with all around it: a third of the time of a test.
 */
export function useQuickStyles(): void {
  const jsdoms = window.getComputedStyle.bind(window);
  window.getComputedStyle = (element, pseudo) => {
    if (pseudo) return jsdoms(element, pseudo);
    const { style } = element as HTMLElement;
    const valueOf = (name: string): string => {
      const own = style.getPropertyValue(name);
      if (name === "display") return own || (hides(element) ? "none" : "block");
      return name === "visibility" ? visibilityOf(element) : own;
    };
    return new Proxy(style, {
      get: (_style, name) => {
        if (name === "getPropertyValue") return valueOf;
        if (name === "display" || name === "visibility") return valueOf(name);
        const value: unknown = Reflect.get(style, name, style);
        return typeof value === "function" ? value.bind(style) : value;
      },
    });
  };
}
