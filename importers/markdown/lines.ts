export interface Heading {
  level: number;
  text: string;
  /** Zero-based; `end` is exclusive. */
  line: number;
  end: number;
}

export interface Definition {
  label: string;
  line: number;
  text: string;
}

export interface Outline {
  lines: string[];
  headings: Heading[];
  definitions: Definition[];
}

export const labelOf = (label: string): string => label.trim().replace(/\s+/g, " ").toLowerCase();

const fence = /^ {0,3}(`{3,}|~{3,})/;
const atx = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const underline = /^ {0,3}(=+|-{2,})[ \t]*$/;
/** With non-breaking spaces, which editors of macOS type and GitHub doesn't accept. */
const definition = /^ {0,3}(\[((?:[^[\]\\]|\\.){1,300})\]:)\s*(\S.*)/;
/** Lines that can't be a setext heading's text. */
const noParagraph = /^(?: {4}|\t| {0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\||<))/;

function headingText(line: string): string {
  const text = line.trim().replace(/^#+/, "").trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end--;
  return end < text.length && (end === 0 || /\s/.test(text[end - 1]!)) ? text.slice(0, end).trim() : text;
}

const mostLines = 2_000_000;

/** Headings and link definitions outside code and comments, in one pass; null if too many. */
export function outlineOf(text: string): Outline | null {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) if (++count > mostLines) return null;
  const lines = text.split("\n");
  const headings: Heading[] = [];
  const definitions: Definition[] = [];
  let open: string | null = null;
  let inComment = false;
  for (const [at, line] of lines.entries()) {
    if (open !== null) {
      const [, closing] = fence.exec(line) ?? [];
      if (closing !== undefined && closing[0] === open[0] && closing.length >= open.length && line.trim() === closing) open = null;
      continue;
    }
    if (inComment) {
      inComment = !line.includes("-->");
      continue;
    }
    const before = lines[at - 1] ?? "";
    const [, opening] = fence.exec(line) ?? [];
    if (opening !== undefined && (opening.startsWith("~") || !line.slice(line.indexOf(opening) + opening.length).includes("`"))) {
      open = opening;
      continue;
    }
    const comment = line.lastIndexOf("<!--");
    if (comment !== -1 && line.trimStart().startsWith("<!--") && !line.includes("-->", comment)) {
      inComment = true;
      continue;
    }
    const [, signs] = atx.exec(line) ?? [];
    if (signs !== undefined) headings.push({ level: signs.length, text: headingText(line), line: at, end: at + 1 });
    else if (underline.test(line) && before.trim() !== "" && !noParagraph.test(before) && headings.at(-1)?.end !== at) {
      // Setext heading: of several lines only the last counts.
      headings.push({ level: line.trim().startsWith("=") ? 1 : 2, text: before.trim(), line: at - 1, end: at + 1 });
    } else {
      const [, start, label, address] = definition.exec(line) ?? [];
      if (label !== undefined && !label.startsWith("^"))
        definitions.push({ label: labelOf(label), line: at, text: `${start} ${address!.trim()}` });
    }
  }
  return { lines, headings, definitions };
}

export function plainWords(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/<!--.*?-->|<[a-z/][^<>]*>/gi, "")
    .replace(/!?\[((?:[^[\]\\]|\\.)*)\](?:\([^()\s]*(?:\s+"[^"]*")?\)|\[[^[\]]*\])?/g, "$1")
    .replace(/(\*\*|__|~~|`)/g, "")
    .replace(/(?<![\p{L}\p{N}\\])[*_](?=\S)|(?<=[^\s\\])[*_](?![\p{L}\p{N}])/gu, "")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/&amp;/g, "&")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/\s+/g, " ")
    .trim();
}

export function withDefinitions(part: string, definitions: ReadonlyMap<string, string>): string {
  const needed = new Map<string, string>();
  for (const [, label = ""] of part.matchAll(/\[((?:[^[\]\\]|\\.){1,300})\]/g)) {
    const target = definitions.get(labelOf(label));
    if (target !== undefined) needed.set(labelOf(label), target);
  }
  return needed.size === 0 ? part : `${part}\n\n${[...needed.values()].join("\n")}`;
}

export function textOfLines(lines: readonly string[]): string {
  const hasWords = (line: string): boolean => line.trim() !== "";
  return lines.slice(Math.max(0, lines.findIndex(hasWords)), lines.findLastIndex(hasWords) + 1).join("\n");
}
