import { type Block, typeOf } from "./block-types.ts";
import type { EditorOutput } from "./schema.ts";

/** The words of one cleaned block, a piece for each line, item or cell. */
export const blockText = (block: Block): string[] => typeOf(block).words(block.data);

/** All words of cleaned content in reading order, whitespace collapsed. */
export function blocksToText(output: EditorOutput): string {
  return output.blocks.flatMap(blockText).join(" ").replace(/\s+/g, " ").trim();
}
