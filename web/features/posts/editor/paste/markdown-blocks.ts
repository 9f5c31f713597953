import { cleanBlocks, uncut } from "#contract/blocks/clean.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { listBlock, type ListLine } from "./list-block.ts";
import { markdownInline } from "./markdown-inline.ts";

const heading = /^(#{1,6})\s+(.+?)\s*#*$/;
const bullet = /^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/;
const rule = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;
const fence = /^\s*(`{3,}|~{3,})/;
const quote = /^\s*>\s?/;
const tableRow = /^\s*\|.*\|\s*$/;
const tableRule = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;

/** Whether a pasted text is meant as Markdown: it has lines that only Markdown begins so. */
export function looksLikeMarkdown(text: string): boolean {
  return text
    .split("\n")
    .some((line) => heading.test(line) || bullet.test(line) || quote.test(line) || fence.test(line) || tableRow.test(line));
}

/** Markdown as blocks: headings, lists, checklists, quotes, code, tables, rules, paragraphs. Raw HTML in it stays text. */
export function markdownBlocks(text: string): Block[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks: unknown[] = [];
  for (let at = 0; at < lines.length;) {
    const [block, next] = blockAt(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return cleanBlocks(blocks, uncut).blocks;
}

/** The block that begins at a line, null for a blank line, and where the next one begins. */
function blockAt(lines: readonly string[], at: number): [block: object | null, next: number] {
  const line = lines[at]!;
  const run = (fits: (line: string) => boolean) => {
    let end = at;
    while (end < lines.length && fits(lines[end]!)) end++;
    return end;
  };
  if (line.trim() === "") return [null, at + 1];
  const [, open] = fence.exec(line) ?? [];
  if (open) return codeAt(lines, at, open);
  const [, signs, title] = heading.exec(line) ?? [];
  if (signs && title)
    return [{ type: "header", data: { text: markdownInline(title), level: Math.min(Math.max(signs.length, 2), 4) } }, at + 1];
  if (rule.test(line)) return [{ type: "delimiter", data: {} }, at + 1];
  if (bullet.test(line)) {
    const end = run((other) => bullet.test(other) && !rule.test(other));
    return [listBlock(lines.slice(at, end).map(listLine)), end];
  }
  if (quote.test(line)) {
    const end = run((other) => quote.test(other));
    const words = lines.slice(at, end).map((other) => markdownInline(other.replace(quote, "")));
    return [{ type: "quote", data: { text: words.join("<br>"), caption: "", alignment: "left" } }, end];
  }
  if (tableRow.test(line)) {
    const end = run((other) => tableRow.test(other));
    return [tableOf(lines.slice(at, end)), end];
  }
  const starts = [heading, bullet, quote, fence, tableRow, rule];
  const end = run((other) => other.trim() !== "" && !starts.some((start) => start.test(other)));
  return [
    {
      type: "paragraph",
      data: {
        text: markdownInline(
          lines
            .slice(at, end)
            .map((other) => other.trim())
            .join(" "),
        ),
      },
    },
    end,
  ];
}

function codeAt(lines: readonly string[], at: number, open: string): [object, number] {
  const close = lines.findIndex((line, index) => index > at && line.trim().startsWith(open));
  const end = close === -1 ? lines.length : close;
  return [{ type: "code", data: { code: lines.slice(at + 1, end).join("\n") } }, end + 1];
}

function listLine(line: string): ListLine {
  const [, indent = "", , number, box, text = ""] = bullet.exec(line) ?? [];
  return {
    depth: Math.floor(indent.replaceAll("\t", "  ").length / 2),
    ordered: number !== undefined,
    checked: box === undefined ? null : box !== " ",
    html: markdownInline(text),
  };
}

function tableOf(rows: readonly string[]): object {
  const cells = (row: string) =>
    row
      .trim()
      .slice(1, -1)
      .split("|")
      .map((cell) => markdownInline(cell.trim()));
  const withHeadings = rows[1] !== undefined && tableRule.test(rows[1]);
  return { type: "table", data: { withHeadings, content: rows.filter((row) => !tableRule.test(row)).map(cells) } };
}
