import { typeOf } from "./block-types.ts";
import { blocksToText } from "./plain-text.ts";
import type { EditorOutput } from "./schema.ts";

/**
 * True if there's nothing to read or see; whitespace and dividers don't count. Source: specification, section 5 ('Content is required').
 */
export function isEmpty(output: EditorOutput): boolean {
  return blocksToText(output) === "" && !output.blocks.some((block) => typeOf(block).shows);
}
