import { inlineText } from "./inline-html.ts";
import type { Block, EditorOutput, ListItem } from "./schema.ts";

const listText = (items: ListItem[]): string[] => items.flatMap((item) => [inlineText(item.content), ...listText(item.items)]);

/** The words of one cleaned block, a piece for each line, item or cell. */
export function blockText(block: Block): string[] {
  switch (block.type) {
    case "paragraph":
    case "header":
      return [inlineText(block.data.text)];
    case "list":
      return listText(block.data.items);
    case "checklist":
      return block.data.items.map((item) => inlineText(item.text));
    case "image":
      return [inlineText(block.data.caption)];
    case "code":
      return [block.data.code];
    case "quote":
      return [inlineText(block.data.text), inlineText(block.data.caption)];
    case "table":
      return block.data.content.flat().map(inlineText);
    case "delimiter":
      return [];
  }
}

/** All words of cleaned content in reading order, whitespace collapsed. */
export function blocksToText(output: EditorOutput): string {
  return output.blocks.flatMap(blockText).join(" ").replace(/\s+/g, " ").trim();
}
