import { excerptLength } from "../limits.ts";
import { typeOf } from "./block-types.ts";
import { blockText } from "./plain-text.ts";
import type { EditorOutput } from "./schema.ts";

export function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length);
  const space = line.lastIndexOf(" ", length);
  // A single long word is cut inside, but never through a surrogate pair.
  const whole = space > length / 2 ? cut.slice(0, space) : cut.replace(/[\ud800-\udbff]$/, "");
  return `${whole.replace(/[\s.,;:!?–—-]+$/, "")}…`;
}

/** Whole sentences, at least 40 characters in total. "e.g. this" ends none. */
const sentences = /^(.{39,}(?:[.!?…]["'”’»)\]]*(?= [^a-z])|[。！？]))/u;

/** Excerpt: the leading whole sentences of the first prose block (else of any block), about 160 characters. */
export function excerpt(output: EditorOutput, length = excerptLength): string {
  const line = firstWords(output.blocks.filter((block) => typeOf(block).prose)) || firstWords(output.blocks);
  if (line.length <= length) return line;
  return sentences.exec(line.slice(0, length + 2))?.[1] ?? shorten(line, length);
}

function firstWords(blocks: EditorOutput["blocks"]): string {
  for (const block of blocks) {
    const line = blockText(block)
      .map((words) => words.replace(/\s+/g, " ").trim())
      .find((words) => words !== "");
    if (line !== undefined) return line;
  }
  return "";
}
