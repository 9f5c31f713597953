import type { Block } from "#contract/blocks/schema.ts";
import type { EditorBlock } from "../blocks/editor-block.ts";
import { editorBlocks } from "../blocks/editor-blocks.ts";

export function blockLines({ type, data }: Block): string[] {
  const block: EditorBlock<typeof type> = editorBlocks[type];
  return block.lines(data).filter((line) => line !== "");
}
