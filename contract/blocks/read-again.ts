import type { Block } from "./block-types.ts";
import { cleanBlocks, unlimited } from "./clean.ts";
import { blocksFromMarkdown } from "./from-markdown.ts";
import { blocksToMarkdown } from "./to-markdown.ts";

const note = /\n<!-- tidings [^\n]*-->$/;

/** What is left of a block that is read back from its Markdown. */
export interface ReadAgain {
  /** With the note about what Markdown cannot say of it, and without; none of either where it became several. */
  readings: Block[];
  /** Markdown says nothing of it at all. */
  silent: boolean;
}

/** A block as it is read back from its Markdown; `base` is the origin that stands in it. */
export function readAgain(block: Block, base: string): ReadAgain {
  const markdown = blocksToMarkdown(cleanBlocks([block], unlimited), { base, whole: true });
  const texts = note.test(markdown) ? [markdown, markdown.replace(note, "")] : [markdown];
  const read = texts.map((text) => blocksFromMarkdown(text, { base, frontMatter: false }).blocks);
  return { readings: read.flatMap((blocks) => (blocks.length === 1 ? blocks : [])), silent: read[0]!.length === 0 };
}
