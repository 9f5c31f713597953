import type { Block } from "./block-types.ts";
import { cleanBlocks, uncut } from "./clean.ts";
import { blocksFromMarkdown } from "./from-markdown.ts";
import { blocksToMarkdown } from "./to-markdown.ts";

const note = /\n<!-- tidings [^\n]*-->$/;

/** A block as it is read back from its Markdown, `base` the origin that stands in it: with the note about what Markdown cannot say of it, and without. */
export function readAgain(block: Block, base: string): Block[] {
  const markdown = blocksToMarkdown(cleanBlocks([block], uncut), { base, whole: true });
  const texts = note.test(markdown) ? [markdown, markdown.replace(note, "")] : [markdown];
  return texts.flatMap((text) => {
    const { blocks } = blocksFromMarkdown(text, { base, frontMatter: false });
    return blocks.length === 1 ? blocks : [];
  });
}
