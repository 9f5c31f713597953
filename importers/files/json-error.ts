const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const blank = /[ \t\r\n]*/y;

function endOfString(text: string, start: number): { end: number } | { error: number } {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '"') return { end: at + 1 };
    if (sign < " ") return { error: at };
    if (sign === "\\") at++;
  }
  return { error: text.length };
}

/** Offset of the syntax error; browsers report it inconsistently, or not at all. */
export function jsonErrorAt(text: string): number {
  const open: string[] = [];
  let wants: "value" | "item" | "key" | "another key" | "colon" | "more" = "value";
  let at = 0;
  for (;;) {
    blank.lastIndex = at;
    at += blank.exec(text)?.[0].length ?? 0;
    const sign = text[at];
    const isKey: boolean = wants === "key" || wants === "another key";
    if (sign === undefined || (wants === "more" && open.length === 0)) return at;
    if (wants === "colon") {
      if (sign !== ":") return at;
      wants = "value";
      at++;
    } else if (sign === "," && wants === "more") {
      wants = open.at(-1) === "{" ? "another key" : "value";
      at++;
    } else if ((sign === "}" || sign === "]") && wants !== "value" && wants !== "another key") {
      if (open.pop() !== (sign === "}" ? "{" : "[")) return at;
      wants = "more";
      at++;
    } else if (wants === "more") return at;
    else if (sign === '"') {
      const string = endOfString(text, at);
      if ("error" in string) return string.error;
      at = string.end;
      wants = isKey ? "colon" : "more";
    } else if (isKey) return at;
    else if (sign === "{" || sign === "[") {
      open.push(sign);
      wants = sign === "{" ? "key" : "item";
      at++;
    } else {
      scalar.lastIndex = at;
      const [word] = scalar.exec(text) ?? [];
      if (word === undefined) return at;
      at += word.length;
      wants = "more";
    }
  }
}
