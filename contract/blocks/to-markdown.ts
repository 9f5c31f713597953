import { typeOf } from "./block-types.ts";
import { requireCleaned } from "./clean.ts";
import type { CleanedContent } from "./schema.ts";

/** What `blocksToMarkdown` does, a block a step, for who has others waiting. */
export function* markdownOfBlocks(content: CleanedContent, { base = "" }: { base?: string } = {}): Generator<void, string> {
  requireCleaned(content);
  const parts: string[] = [];
  for (const block of content.blocks) {
    parts.push(typeOf(block).markdown(block.data, { base, page: false }));
    yield;
  }
  return parts.join("\n\n");
}

/** A post's content as Markdown (CommonMark with tables, task lists and strike-through). `base` (an origin) makes stored images absolute. */
export function blocksToMarkdown(content: CleanedContent, { base = "" }: { base?: string } = {}): string {
  requireCleaned(content);
  return content.blocks.map((block) => typeOf(block).markdown(block.data, { base, page: false })).join("\n\n");
}
