import type { Block } from "./block-types.ts";
import { cleanBlocks, unlimited } from "./clean.ts";
import { blocksFromMarkdown } from "./from-markdown.ts";
import { blocksToMarkdown } from "./to-markdown.ts";

const note = /\n<!-- tidings [^\n]*-->$/;

export interface ReadAgain {
  /** With and without the note about fields Markdown can't express; empty when it became several blocks. */
  readings: Block[];
  silent: boolean;
}

export function readAgain(block: Block, base: string): ReadAgain {
  const markdown = blocksToMarkdown(cleanBlocks([block], unlimited), { base, whole: true });
  const texts = note.test(markdown) ? [markdown, markdown.replace(note, "")] : [markdown];
  const read = texts.map((text) => blocksFromMarkdown(text, { base, frontMatter: false }).blocks);
  return { readings: read.flatMap((blocks) => (blocks.length === 1 ? blocks : [])), silent: read[0]!.length === 0 };
}
