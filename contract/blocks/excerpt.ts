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

/** The beginning of a post for lists and previews: its running text (else any text), about 160 characters, plain. */
export function excerpt(output: EditorOutput, length = 160): string {
  const text = output.blocks
    .filter((block) => typeOf(block).prose)
    .flatMap(blockText)
    .join(" ");
  return shorten(text.trim() === "" ? output.blocks.flatMap(blockText).join(" ") : text, length);
}
