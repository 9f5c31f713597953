import { typeOf } from "./block-types.ts";
import { blocksToText } from "./plain-text.ts";
import type { EditorOutput } from "./schema.ts";

/** Whether cleaned content has nothing to read or see: blanks and dividers do not count. Source: specification, section 5 ('Content is required'). */
export function isEmpty(output: EditorOutput): boolean {
  return blocksToText(output) === "" && !output.blocks.some((block) => typeOf(block).shows);
}
