const hiddenByBrowsers = /^(?:head|script|style|template|title)$/;

const hides = (element: Element): boolean =>
  element.hasAttribute("hidden") ||
  hiddenByBrowsers.test(element.localName) ||
  (element.localName === "dialog" && !element.hasAttribute("open"));

function visibilityOf(element: Element | null): string {
  for (let one = element; one !== null; one = one.parentElement) {
    const own = (one as Partial<HTMLElement>).style?.visibility;
    if (own) return own;
  }
  return "visible";
}

/** Computed styles from inline styles and attributes only. jsdom's cascade takes a third of a test's time, and these tests load no style sheets. */
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
