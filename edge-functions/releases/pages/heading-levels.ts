/**
 * Headings keep the size their author chose and get the level that a reader by ear expects: none is left out on the way down from the
 * page's title. `html` is what contract/blocks makes.
 */
export function withHeadingLevels(html: string): string {
  const used = [...new Set([...html.matchAll(/<h([2-4])>/g)].map(([, level]) => Number(level)))].sort();
  let last = 1;
  return html.replace(/<h([2-4])>/g, (tag, written: string) => {
    last = Math.min(used.indexOf(Number(written)) + 2, last + 1);
    return last === Number(written) ? tag : `<h${written} aria-level="${last}">`;
  });
}
