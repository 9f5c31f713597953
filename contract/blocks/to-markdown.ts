import { requireCleaned } from "./clean.ts";
import { inlineText } from "./inline-html.ts";
import { escapeMarkdown, inlineToMarkdown, markdownAddress } from "./inline-to-markdown.ts";
import type { Block, CleanedContent, ListItem } from "./schema.ts";

const box = (checked: boolean): string => (checked ? "[x] " : "[ ] ");
const indent = (text: string, by: string): string => text.replaceAll("\n", `\n${by}`);

function listLines(style: string, items: ListItem[], first: number): string {
  return items
    .map((item, index) => {
      const bullet = style === "ordered" ? `${first + index}. ` : "- ";
      const nested = item.items.length === 0 ? "" : `\n${listLines(style, item.items, 1)}`;
      const text = (style === "checklist" ? box(item.meta.checked === true) : "") + inlineToMarkdown(item.content);
      return bullet + indent(text + nested, " ".repeat(bullet.length));
    })
    .join("\n");
}

/** A fence longer than any run of backticks inside. */
function fenced(code: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}\n${code}\n${fence}`;
}

function tableLines(rows: string[][], withHeadings: boolean): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => inlineToMarkdown(cell).replaceAll("\\\n", "<br>")).join(" | ")} |`;
  const columns = rows[0]?.length ?? 0;
  const head = withHeadings ? (rows[0] ?? []) : Array<string>(columns).fill("");
  const body = withHeadings ? rows.slice(1) : rows;
  return [line(head), `|${" --- |".repeat(columns)}`, ...body.map(line)].join("\n");
}

function blockToMarkdown(block: Block, base: string): string {
  switch (block.type) {
    case "paragraph":
      return inlineToMarkdown(block.data.text);
    case "header":
      return `${"#".repeat(Math.min(Math.max(block.data.level, 2), 4))} ${inlineToMarkdown(block.data.text).replaceAll("\\\n", " ")}`;
    case "list":
      return listLines(block.data.style, block.data.items, block.data.meta.start ?? 1);
    case "checklist":
      return block.data.items.map(({ text, checked }) => `- ${box(checked)}${indent(inlineToMarkdown(text), "  ")}`).join("\n");
    case "image": {
      const { file, caption } = block.data;
      const alt = escapeMarkdown(inlineText(caption).replaceAll("\n", " "));
      return `![${alt}]${markdownAddress(file.url.startsWith("/") ? base + file.url : file.url)}`;
    }
    case "code":
      return fenced(block.data.code);
    case "quote": {
      const { text, caption } = block.data;
      const source = caption === "" ? "" : `\n\n— ${inlineToMarkdown(caption)}`;
      return `> ${indent(inlineToMarkdown(text) + source, "> ")}`;
    }
    case "delimiter":
      return "---";
    case "table":
      return tableLines(block.data.content, block.data.withHeadings);
  }
}

/** What `blocksToMarkdown` does, a block a step, for who has others waiting. */
export function* markdownOfBlocks(content: CleanedContent, { base = "" }: { base?: string } = {}): Generator<void, string> {
  requireCleaned(content);
  const parts: string[] = [];
  for (const block of content.blocks) {
    parts.push(blockToMarkdown(block, base));
    yield;
  }
  return parts.join("\n\n");
}

/** A post's content as Markdown (CommonMark with tables, task lists and strike-through). `base` (an origin) makes stored images absolute. */
export function blocksToMarkdown(content: CleanedContent, { base = "" }: { base?: string } = {}): string {
  requireCleaned(content);
  return content.blocks.map((block) => blockToMarkdown(block, base)).join("\n\n");
}
