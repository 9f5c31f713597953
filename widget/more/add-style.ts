/** Adds a file's style to a shadow root, once. */
export function styleOf(css: string): (root: ShadowRoot) => void {
  let sheet: CSSStyleSheet | undefined;
  return ({ adoptedStyleSheets }) => {
    if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(css);
    if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet);
  };
}
