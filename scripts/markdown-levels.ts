/** Markdown with every heading one level lower, except in code blocks. */
export function oneLevelDown(markdown: string): string {
  let fence = "";
  const down = (line: string) => {
    const [mark = ""] = /^`{3,}/.exec(line) ?? [];
    if (fence === "" && mark === "") return line.replace(/^#+ /, "#$&");
    if (fence === "" || line === fence) fence = fence === "" ? mark : "";
    return line;
  };
  return markdown.split("\n").map(down).join("\n");
}
