import { excerptLength } from "../limits.ts";
import { typeOf } from "./block-types.ts";
import { blockText } from "./plain-text.ts";
import type { EditorOutput } from "./schema.ts";

/** At most `length` characters of a text, cut after a word, with '…' when something was cut. */
export function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length);
  const space = line.lastIndexOf(" ", length);
  // A single endless word is cut inside, but never through a surrogate pair.
  const whole = space > length / 2 ? cut.slice(0, space) : cut.replace(/[\ud800-\udbff]$/, "");
  return `${whole.replace(/[\s.,;:!?–—-]+$/, "")}…`;
}

/** Whole sentences of at least 40 characters together: "e.g. this" ends none, and "Hi." alone says too little. */
const sentences = /^(.{39,}(?:[.!?…]["'”’»)\]]*(?= [^a-z])|[。！？]))/u;

/**
 * The beginning of a post for lists and previews: the whole sentences that its running text (else any text) begins with, about 160 characters of
 * one block, so that nothing is glued together; of a longer sentence what `shorten` leaves.
 */
export function excerpt(output: EditorOutput, length = excerptLength): string {
  const line = firstWords(output.blocks.filter((block) => typeOf(block).prose)) || firstWords(output.blocks);
  if (line.length <= length) return line;
  return sentences.exec(line.slice(0, length + 2))?.[1] ?? shorten(line, length);
}

/** The first piece of the first block that says anything. */
function firstWords(blocks: EditorOutput["blocks"]): string {
  for (const block of blocks) {
    const line = blockText(block)
      .map((words) => words.replace(/\s+/g, " ").trim())
      .find((words) => words !== "");
    if (line !== undefined) return line;
  }
  return "";
}
