/** Front matter between `---`, as `tidings export` writes it: strings, true, false, lists of strings. Any other line is an error. */
export function readFrontMatter(text) {
  const source = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const lines = source.split("\n");
  // A horizontal rule also looks like this, so a key must follow.
  if (lines[0]?.trimEnd() !== "---" || !/^[\w-]+:(?:\s|$)/.test(lines[1] ?? "")) return { fields: {}, body: source };
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === "---");
  if (end === -1) return { fields: {}, body: source };
  const fields = {};
  let list = null;
  for (const [at, line] of lines.slice(1, end).entries()) {
    const item = /^\s*-\s+(.*)$/.exec(line);
    const pair = /^([\w-]+):(?:\s+(.*))?$/.exec(line.trimEnd());
    if (item !== null && list !== null) list.push(valueOf(item[1]));
    else if (pair !== null) {
      const [, key, value = ""] = pair;
      list = value.trim() === "" ? [] : null;
      Object.defineProperty(fields, key.toLowerCase().replaceAll("-", "_"), { value: list ?? valueOf(value), enumerable: true });
    } else if (line.trim() !== "" && !line.trimStart().startsWith("#")) {
      throw new Error(`Line ${at + 2} of the front matter isn't "key: value" or "- item": ${line.trim()}`);
    }
  }
  return {
    fields,
    body: lines
      .slice(end + 1)
      .join("\n")
      .replace(/^\n+/, ""),
  };
}

function valueOf(text) {
  const value = text.trim();
  if (/^".*"$/.test(value)) return JSON.parse(value);
  if (/^'.*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'");
  if (value.startsWith("[") && value.endsWith("]")) return listOf(value);
  if (value === "true" || value === "false") return value === "true";
  return value.replace(/\s+#.*$/, "");
}

/** `[one, "two, three"]`: commas in quotes belong to the text. */
function listOf(value) {
  const parts = value.slice(1, -1).match(/\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*|[^,]+/g) ?? [];
  return parts.map((one) => String(valueOf(one))).filter((one) => one !== "");
}
