import type { Block } from "#contract/blocks/schema.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { listLines } from "./list-block.ts";

/** The words of a block as lines of inline HTML, for places that hold nothing else: table cells, captions. */
export function blockLines(block: Block): string[] {
  return linesOf(block).filter((line) => line !== "");
}

function linesOf(block: Block): string[] {
  switch (block.type) {
    case "paragraph":
    case "header":
      return [block.data.text];
    case "list":
    case "checklist":
      return listLines(block).map(({ html }) => html);
    case "quote":
      return [block.data.text, block.data.caption];
    case "code":
      return block.data.code.split("\n").map(escapeHtml);
    case "table":
      return block.data.content.map((row) => row.filter((cell) => cell !== "").join(" "));
    case "image":
      return [block.data.caption];
    case "delimiter":
      return [];
  }
}
