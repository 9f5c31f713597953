import type { Place } from "./block-type.ts";
import { typeOf } from "./block-types.ts";
import { requireCleaned } from "./clean.ts";
import type { CleanedContent } from "./schema.ts";

const placed = ({ base = "", page = false, colour, words }: Partial<Place>): Place => ({ base, page, colour, words });

/** What `blocksToHtml` does, a block a step: the HTML of each. */
export function* htmlOfEach(content: CleanedContent, given: Partial<Place> = {}): Generator<void, string[]> {
  requireCleaned(content);
  const place = placed(given);
  const each: string[] = [];
  for (const block of content.blocks) {
    each.push(typeOf(block).html(block.data, place));
    yield;
  }
  return each;
}

/** The same, together. */
export function* htmlOfBlocks(content: CleanedContent, place: Partial<Place> = {}): Generator<void, string> {
  return (yield* htmlOfEach(content, place)).join("\n");
}

/**
 * A post's content as complete, escaped HTML without scripts, styles or event handlers, one block a line.
 * Links carry no `nofollow`: the writers are members of the workspace whose page it is.
 */
export function blocksToHtml(content: CleanedContent, given: Partial<Place> = {}): string {
  requireCleaned(content);
  const place = placed(given);
  return content.blocks.map((block) => typeOf(block).html(block.data, place)).join("\n");
}
