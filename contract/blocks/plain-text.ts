import { type Block, typeOf } from "./block-types.ts";
import type { EditorOutput } from "./schema.ts";

export const blockText = (block: Block): string[] => typeOf(block).words(block.data);

export function blocksToText(output: EditorOutput): string {
  return output.blocks.flatMap(blockText).join(" ").replace(/\s+/g, " ").trim();
}
